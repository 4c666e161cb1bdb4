import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitWithin, readableSide } from './image-size.ts';

const fitted = (width: number, height: number, leastSide?: number) => {
  const size = fitWithin({ width, height }, leastSide);
  return `${size.width}x${size.height}`;
};

test('an image is reduced to three million pixels, except for the rounding of its sides', () => {
  assert.equal(fitted(2000, 2000), '1732x1732');
  assert.equal(fitted(2600, 1500), '2280x1316');
  assert.equal(fitted(4000, 3000), '2000x1500');
  assert.equal(fitted(3000, 4000), '1500x2000');
  assert.equal(fitted(6000, 4), '6000x4');
});

test('a long screenshot and a wide strip keep a readable shorter side, where that is wanted', () => {
  for (const [width, height, readable, small] of [
    [1080, 12_000, '720x8000', '520x5774'],
    // A narrower image keeps its width.
    [640, 12_000, '640x12000', '400x7500'],
    [12_000, 1000, '8640x720', '6000x500'],
    [8000, 1200, '4800x720', '4472x671'],
    [12_000, 640, '12000x640', '7500x400'],
  ] as const) {
    assert.equal(fitted(width, height, readableSide), readable);
    assert.equal(fitted(width, height), small);
  }
});

test('no side is longer than WebP allows', () => {
  assert.equal(fitted(720, 33_000, readableSide), '357x16383');
  assert.equal(fitted(33_000, 720, readableSide), '16383x357');
  assert.equal(fitted(2, 60_000), '1x16383');
});

test('no image is enlarged', () => {
  assert.equal(fitted(1, 1, readableSide), '1x1');
  assert.equal(fitted(37, 1999, readableSide), '37x1999');
});
