import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { onePixel } from '../../../test/attacks/hostile-images.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { decodeUpload, longest } from './decoder.ts';

test('an image that takes too long is rejected, and the next one is made', async () => {
  await using folder = await temporaryFolder('test');
  const file = path.join(folder.path, 'upload');
  await writeFile(file, await onePixel(3000, 2000).png().toBuffer());
  const { ms } = longest;
  longest.ms = 1;
  await assert.rejects(decodeUpload(file, 'comment'), { code: 'image_too_large' });
  longest.ms = ms;
  const { full } = await decodeUpload(file, 'comment');
  assert.deepEqual([full.width, full.height], [2121, 1414]);
});

test('a large photo is made also after another one, which left memory behind', async () => {
  await using folder = await temporaryFolder('test');
  const file = path.join(folder.path, 'upload');
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const grain = sharp({
    create: { width: 2000, height: 1333, channels: 3, background: '#888', noise },
  });
  const small = await grain.png({ compressionLevel: 0 }).toBuffer();
  const photo = sharp(small).resize(6000, 4000, { kernel: 'nearest' });
  await writeFile(
    file,
    await photo.jpeg({ quality: 60, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  );
  for (let i = 0; i < 2; i++) {
    const { full } = await decodeUpload(file, 'comment');
    assert.deepEqual([full.width, full.height], [2121, 1414]);
  }
});

test('an image that takes too much memory is rejected, and the next one is made', async () => {
  await using folder = await temporaryFolder('test');
  const file = path.join(folder.path, 'upload');
  // An interlaced PNG is decoded as a whole.
  const costly = onePixel(6000, 4000, 4).toColourspace('rgb16').png({ progressive: true });
  await writeFile(file, await costly.toBuffer());
  await assert.rejects(decodeUpload(file, 'comment'), { code: 'image_too_large' });
  await writeFile(file, await onePixel(300, 200).png().toBuffer());
  const { full } = await decodeUpload(file, 'comment');
  assert.deepEqual([full.width, full.height], [300, 200]);
});
