import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { longGif } from '../../../test/attacks/hostile-images.ts';
import { isAnimated } from './is-animated.ts';

const image = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 4, background } });
const still = image('#a63d1a');
const frames = await Promise.all([still, image('#1a3da6')].map((one) => one.png().toBuffer()));
const moving = sharp(frames, { join: { animated: true } });

const moves = (bytes: Uint8Array) => isAnimated(new Blob([Uint8Array.from(bytes)]));

test('recognizes a GIF and a WebP that move', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const [one, two] = [
      await still.toFormat(format).toBuffer(),
      await moving.toFormat(format).toBuffer(),
    ];
    assert.equal((await sharp(two).metadata()).pages, 2);
    assert.deepEqual([await moves(one), await moves(two)], [false, true], format);
  }
  const transparent = await image('#0000').webp().toBuffer();
  assert.equal(transparent.toString('latin1', 12, 16), 'VP8X');
  assert.equal(await moves(transparent), false);
});

test('a GIF of one frame does not move, with a comment or cut off', async () => {
  const gif = await still.gif().toBuffer();
  const comment = Buffer.from('\x21\xfe\x05,,,,,\x00', 'latin1');
  assert.equal(await moves(Buffer.concat([gif.subarray(0, -1), comment, comment])), false);
  assert.equal(await moves(gif.subarray(0, gif.length - 4)), false);
  assert.equal(await moves(longGif(1)), false);
  assert.equal(await moves(longGif(2)), true);
});

test('other files do not move', async () => {
  assert.equal(await moves(await still.jpeg().toBuffer()), false);
  assert.equal(await moves(Buffer.alloc(0)), false);
});
