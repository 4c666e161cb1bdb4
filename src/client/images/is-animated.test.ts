import assert from 'node:assert/strict';
import { test } from 'node:test';
import { animations, longGif, quarters } from '../../../test/attacks/hostile-images.ts';
import { isAnimated } from './is-animated.ts';

const moves = (bytes: Uint8Array) => isAnimated(new Blob([Uint8Array.from(bytes)]));

test('recognizes animated files of every format that supports animation', async () => {
  for (const [format, moving] of Object.entries(await animations())) {
    const still = quarters(40, 30).toFormat(format as 'gif');
    const clear = still.clone().ensureAlpha(0.5).withIccProfile('p3');
    const [one, other] = [await still.toBuffer(), await clear.toBuffer()];
    const found = [await moves(moving), await moves(one), await moves(other)];
    assert.deepEqual(found, [true, false, false], format);
  }
});

test('a GIF is animated from its second frame on', async () => {
  assert.equal(await moves(longGif(1)), false);
  assert.equal(await moves(longGif(2)), true);
});

test('other files are not animated', async () => {
  assert.equal(await moves(await quarters(40, 30).jpeg().toBuffer()), false);
  assert.equal(await moves(Buffer.alloc(0)), false);
});
