import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
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
