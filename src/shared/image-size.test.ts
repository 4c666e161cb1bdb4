import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitWithin, readableWidth } from './image-size.ts';

const fitted = (width: number, height: number, leastWidth?: number) => {
  const size = fitWithin({ width, height }, leastWidth);
  return `${size.width}x${size.height}`;
};

test('an image is at most 2000 px wide and has at most three million pixels', () => {
  assert.equal(fitted(2000, 2000), '1732x1732');
  assert.equal(fitted(2600, 1500), '2000x1154');
  assert.equal(fitted(4000, 3000), '2000x1500');
  assert.equal(fitted(3000, 4000), '1500x2000');
  assert.equal(fitted(6000, 4), '2000x1');
});

test('a long screenshot stays readable', () => {
  assert.equal(fitted(1080, 12_000, readableWidth), '720x8000');
  assert.equal(fitted(1080, 12_000), '520x5774');
  assert.equal(fitted(1440, 16_000, readableWidth), '720x8000');
  // A narrower one keeps its width.
  assert.equal(fitted(640, 12_000, readableWidth), '640x12000');
});

test('no image is higher than WebP allows', () => {
  assert.equal(fitted(720, 33_000, readableWidth), '357x16383');
  assert.equal(fitted(2, 60_000), '1x16383');
});

test('no image is enlarged', () => {
  assert.equal(fitted(1, 1, readableWidth), '1x1');
  assert.equal(fitted(37, 1999, readableWidth), '37x1999');
});
