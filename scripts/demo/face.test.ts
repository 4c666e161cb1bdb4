import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { face } from './face.ts';
import { demoPeople } from './people.ts';

const seeds = demoPeople.flatMap(({ faceSeed }) => faceSeed ?? []);

test('each person of the demo has a different portrait, which is the same each time', () => {
  assert.equal(new Set(seeds.map(face)).size, seeds.length);
  assert.deepEqual(seeds.map(face), seeds.map(face));
});

test('a portrait is well-formed SVG of 360 x 360 with several colours', async () => {
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
