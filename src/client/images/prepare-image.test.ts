import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { prepareImage } from './prepare-image.ts';

/** A file that claims to be a JPEG: its bytes decide, not the type. */
const prepare = (content: string | Buffer<ArrayBuffer>) =>
  prepareImage(new File([content], 'foto.jpg', { type: 'image/jpeg' }), 10);

test('a file that the server would reject is refused with a reason', async () => {
  const files: [string, RegExp][] = [
    ['', /^El archivo está vacío/],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', /SVG no se admiten.*PNG/],
    ['%PDF-1.7', /PDF no es una imagen.*JPEG o PNG/],
    ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', /HEIC no se admiten.*JPEG/],
    ['<!doctype html><script>alert(1)</script>', /no es una imagen JPEG, PNG/],
  ];
  for (const [content, reason] of files) {
    const prepared = await prepare(Buffer.from(content, 'latin1'));
    assert.ok('message' in prepared, content);
    assert.match(prepared.message, reason);
  }
});

test('a dropped folder, which cannot be read, is refused', async (context) => {
  context.mock.method(console, 'warn', () => {});
  const folder = new File(['x'], 'fotos');
  context.mock.method(folder, 'slice', () => ({ arrayBuffer: () => Promise.reject(new Error()) }));
  const message = 'El archivo no se puede leer. Elige otra imagen.';
  assert.deepEqual(await prepareImage(folder, 10), { message });
});

test('an image over the limit that cannot be reduced is refused', async (context) => {
  const warn = context.mock.method(console, 'warn', () => {});
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  const tooLarge = await prepare(Buffer.concat([head, randomBytes(14_000_000)]));
  assert.deepEqual(tooLarge, { message: 'La imagen pesa 14\u00a0MB; el máximo es 10\u00a0MB.' });
  assert.equal(warn.mock.callCount(), 1, 'no bitmap can be made of it');
  const small = await prepare(Buffer.concat([head, randomBytes(1000)]));
  assert.ok('file' in small);
});
