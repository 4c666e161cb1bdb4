import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { decodeUpload } from '../../images/decoder.ts';
import { azulejo } from './azulejo.ts';
import { drawAzulejo } from './draw-azulejo.ts';

const seeds = Array.from({ length: 400 }, (_, index) => `0199a1b2-${index}`);
const hostileSeeds = [
  '',
  '"><script>alert(1)</script>',
  "'/><image href='https://ejemplo.es/x.png'/>",
  '<!ENTITY x SYSTEM "file:///etc/passwd">&x;',
  '../../etc/passwd\0',
  'url(javascript:alert(1))',
  '\ud800',
  '🦖'.repeat(50_000),
];

/** Matches SVG with only shapes, numbers and colours: no reference, text or script. */
const harmless =
  /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"( (width|height|viewBox)="[\d ]+")+>(<\/?(path|g)( (fill|d|stroke(-width|-linejoin|-linecap)?)="[\w #.-]+")*\/?>)+<\/svg>$/;

test('a seed keeps its pattern in later versions, since browsers cache it for good', () => {
  const hash = createHash('sha256').update(seeds.map(azulejo).join()).digest('hex');
  assert.equal(hash, '88767c172660d7b93d9f7c40047b8bb505371cdaf15ddb77e58b04ae172b607d');
});

test('the markup is small and contains only shapes, even for hostile seeds', () => {
  for (const seed of [...seeds, ...hostileSeeds]) {
    const svg = azulejo(seed);
    assert.match(svg, harmless);
    assert.ok(svg.length < 6000, `${seed.slice(0, 40)}: ${svg.length} bytes`);
  }
});

test('a pattern is drawn as an image of 2000 x 800 with several colours', async () => {
  for (const seed of hostileSeeds.slice(0, 3)) {
    const { data, info } = await sharp(await drawAzulejo(seed))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [2000, 800]);
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    assert.ok(new Set(pixels).size > 2, `${seed.slice(0, 40)} is blank`);
  }
});

test('an uploaded SVG is not decoded while patterns are drawn', async () => {
  await using folder = await temporaryFolder('test');
  const file = path.join(folder.path, 'upload');
  await writeFile(file, azulejo('a'));
  const drawn = seeds.slice(0, 10).map(drawAzulejo);
  for (let uploads = 0; uploads < 10; uploads++) {
    await assert.rejects(decodeUpload(file, 'cover'), ({ cause }: Error) =>
      /unsupported image format/.test(String(cause)),
    );
  }
  await Promise.all(drawn);
});
