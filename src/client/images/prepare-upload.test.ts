import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { prepareUpload } from './prepare-upload.ts';

/** A file that claims to be a JPEG: its bytes decide, not the type. */
const prepare = (content: string | Buffer<ArrayBuffer>) =>
  prepareUpload(new File([content], 'foto.jpg', { type: 'image/jpeg' }), 'comment', 10);

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
  assert.deepEqual(await prepareUpload(folder, 'comment', 10), { message });
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

test('of a file that is no image, only the size is checked', async () => {
  const prepare = (bytes: number) =>
    prepareUpload(new File([Buffer.alloc(bytes, 'x')], 'acta.docx'), 'file', 1);
  assert.ok('file' in (await prepare(1_048_576)));
  assert.deepEqual(await prepare(0), { message: 'El archivo está vacío. Elige otro.' });
  const message = 'El archivo pesa 2\u00a0MB; el máximo es 1\u00a0MB.';
  assert.deepEqual(await prepare(1_048_577), { message });
});
