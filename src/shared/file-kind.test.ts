import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { kindOf } from './file-kind.ts';

const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#a63d1a' } });
const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('recognizes the five supported formats by their first bytes', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    assert.equal(kindOf(await image.clone().toFormat(format).toBuffer()), format);
  }
});

test('recognizes unsupported formats that are often chosen by mistake', () => {
  const files = {
    svg: '<?xml version="1.0"?>\n<!-- dibujo -->\n<svg xmlns="http://www.w3.org/2000/svg">',
    pdf: '%PDF-1.7',
    heic: '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
    tiff: 'II*\0',
    bmp: 'BM\x36\x10\0\0',
    video: '\0\0\0\x18ftypmp42\0\0\0\0isommp42',
    other: '<!doctype html><script>alert(1)</script>',
  };
  for (const [kind, head] of Object.entries(files)) assert.equal(kindOf(latin1(head)), kind);
});

test('takes a file with both an AVIF and a HEIC brand for AVIF', () => {
  assert.equal(kindOf(latin1('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf')), 'avif');
});

test('does not recognize an empty file', () => {
  assert.equal(kindOf(new Uint8Array()), 'other');
});
