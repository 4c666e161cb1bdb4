import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { face } from './face.ts';
import { demoPeople } from './people.ts';

const seeds = demoPeople.flatMap(({ faceSeed }) => faceSeed ?? []);

test('each person of the demo has a portrait of their own: an SVG of 360 x 360 with several colours', async () => {
  assert.equal(new Set(seeds.map(face)).size, seeds.length);
  for (const seed of seeds) {
    const { data, info } = await sharp(Buffer.from(face(seed)))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height], [360, 360]);
    const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    assert.ok(new Set(pixels).size > 2, `${seed} is blank`);
  }
});
