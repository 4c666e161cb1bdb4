import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { openImage } from './image-source.ts';

test('opening a PNG with 300,000 small chunks takes little memory', async () => {
  const image = { width: 8, height: 8, channels: 3 as const, background: 'navy' };
  const png = await sharp({ create: image }).png().toBuffer();
  const chunk = Buffer.alloc(12);
  chunk.write('aaAa', 4, 'latin1');
  chunk.writeUInt32BE(crc32('aaAa'), 8);
  const headerBytes = 33;
  const many = Buffer.concat([
    png.subarray(0, headerBytes),
    ...Array(300_000).fill(chunk),
    png.subarray(headerBytes),
  ]);
  const before = process.memoryUsage();
  const opening = openImage(many);
  const after = process.memoryUsage();
  const grown = after.heapUsed - before.heapUsed;
  assert.ok(grown < 20_000_000, `${grown} bytes`);
  assert.equal((await opening).metadata.width, 8);
});
