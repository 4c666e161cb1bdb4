import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer, text as readAll } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import yazl from 'yazl';
import { type TemporaryFolder, temporaryFolder } from '../../../test/temporary-folder.ts';
import { openExport } from './read-export.ts';
import { longestText, readLines } from './read-lines.ts';
import { UnreadableExport } from './unreadable-export.ts';

const chat = 'Chat de WhatsApp con Vecinos 🌻.txt';
const hello = '15/3/24, 9:05 - Ana: hola\n';

/** The bytes of a ZIP with these files. */
async function zipOf(files: Record<string, string | Buffer>, options = {}): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), name, options);
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** Replaces bytes wherever they occur, as a forger would. */
function forge(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

const central = 'PK\u0001\u0002';
const end = 'PK\u0005\u0006';

/** Writes bytes at an offset from the last place where a signature occurs. */
function patch(zip: Buffer, signature: string, offset: number, ...bytes: number[]): Buffer {
  const patched = Buffer.from(zip);
  patched.set(bytes, patched.lastIndexOf(signature) + offset);
  return patched;
}

describe('an export', () => {
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder('export');
  });
  after(() => folder?.[Symbol.asyncDispose]());

  async function open(name: string, bytes: string | Buffer) {
    const file = path.join(folder.path, name);
    await writeFile(file, bytes);
    return openExport(file);
  }

  async function expectRefused(name: string, bytes: string | Buffer, message: RegExp) {
    const read = async () => {
      using source = await open(name, bytes);
      for await (const _ of source.lines());
    };
    await assert.rejects(read, (error) => {
      assert.ok(error instanceof UnreadableExport, String(error));
      assert.match(error.message, message);
      return true;
    });
  }

  test('is a ZIP with a text and attachments, which can be read again', async () => {
    const files = { [chat]: hello, 'IMG-1.jpg': 'picture', 'notas.txt': 'other' };
    using source = await open('a.zip', await zipOf(files));
    assert.equal(source.name, 'Vecinos 🌻');
    assert.deepEqual(
      [...source.attachments],
      [
        ['IMG-1.jpg', 7],
        ['notas.txt', 5],
      ],
    );
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await Array.fromAsync(source.lines()), [hello.trim()]);
    }
    assert.equal(await readAll(await source.openAttachment('IMG-1.jpg')), 'picture');
  });

  test('is named by its file on iOS, and may have been packed again with a folder', async () => {
    const files = { 'a/_chat.txt': hello, 'a/nin\u0303o.jpg': 'x', '__MACOSX/a/._chat.txt': 'x' };
    using source = await open('WhatsApp Chat - Vecinos.zip', await zipOf(files));
    assert.equal(source.name, 'Vecinos');
    assert.deepEqual([...source.attachments.keys()], ['niño.jpg']);
  });

  test('is a text alone', async () => {
    using source = await open(chat, hello);
    assert.equal(source.name, 'Vecinos 🌻');
    assert.deepEqual(await Array.fromAsync(source.lines()), [hello.trim()]);
    await assert.rejects(openExport(folder.path), /no es un archivo/);
  });

  test('stays the file that was opened when another one takes its name', async () => {
    for (const [name, bytes] of [
      ['replaced.txt', hello],
      ['replaced.zip', await zipOf({ [chat]: hello })],
    ] as const) {
      using source = await open(name, bytes);
      const file = path.join(folder.path, name);
      await writeFile(`${file}.new`, 'other');
      await rename(`${file}.new`, file);
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await Array.fromAsync(source.lines()), [hello.trim()]);
      }
    }
  });

  test('is refused in other encodings than UTF-8', async () => {
    for (const mark of ['\ufeff', '']) {
      await expectRefused('a.txt', Buffer.from(mark + hello, 'utf16le'), /UTF-16/);
    }
    const latin = Buffer.from('15/3/24, 9:05 - Ana: mañana\n', 'latin1');
    await expectRefused('a.txt', latin, /Latin-1/);
    await expectRefused('a.zip', await zipOf({ [chat]: latin }), /Latin-1/);
  });

  test('may end in the middle of a line or a character', async () => {
    using source = await open('a.txt', Buffer.from('\ufeffhola\r\nmañ').subarray(0, -1));
    assert.deepEqual(await Array.fromAsync(source.lines()), ['hola', 'ma']);
  });

  test('with a line of any length is read in parts', async () => {
    const chunk = Buffer.alloc(70_000, 'ñ');
    let count = 0;
    async function* bytes() {
      for (; count < 100; count++) yield chunk;
      yield Buffer.from('\nhola');
    }
    const first = await readLines(bytes()).next();
    assert.ok(first.done === false && count < 5);
    count = 0;
    const lines = await Array.fromAsync(readLines(bytes()));
    assert.equal(lines.pop(), 'hola');
    assert.equal(lines.join('').length, 3_500_000);
    assert.ok(lines.every((line) => line.length <= longestText));
  });

  test('is refused without a chat or with two', async () => {
    await expectRefused('a.zip', await zipOf({ 'IMG-1.jpg': 'x' }), /ningún chat/);
    const two = { [chat]: hello, '_chat.txt': hello };
    await expectRefused('a.zip', await zipOf(two), /más de un chat/);
  });

  test('is refused when its ZIP is truncated or is none', async () => {
    const zip = await zipOf({ [chat]: hello.repeat(1000) });
    for (const bytes of ['', hello, zip.subarray(0, -30), zip.subarray(0, 100)]) {
      await expectRefused('a.zip', bytes, /dañado o incompleto/);
    }
    const damaged = Buffer.from(zip).fill(0xff, 80, 120);
    await expectRefused('a.zip', damaged, /dañado o incompleto/);
  });

  test('is refused when its ZIP points outside or is encrypted', async () => {
    const zip = await zipOf({ 'aa/x.jpg': 'x', [chat]: hello });
    for (const name of ['../x.jpg', '/a/x.jpg', 'C:/x.jpg', 'a\\/x.jpg']) {
      await expectRefused('a.zip', forge(zip, 'aa/x.jpg', name), /fuera de su carpeta|dañado/);
    }
    const link = await zipOf({ [chat]: '/etc/passwd' }, { mode: 0o120777 });
    await expectRefused('a.zip', link, /es un enlace/);
    await expectRefused('a.zip', patch(zip, central, 8, 0x01, 0x08), /está cifrado/);
    await expectRefused('a.zip', patch(zip, central, 10, 99), /no se lee aquí/);
  });

  test('is refused when its ZIP has too many files, two of one name, or more bytes than it may', async () => {
    const zip = await zipOf({ [chat]: hello });
    await expectRefused('a.zip', patch(zip, end, 10, 0xff, 0xfe), /65\u00a0279 archivos/);
    const twice = await zipOf({ [chat]: hello, 'a/x.jpg': 'x', 'b/x.jpg': 'x' });
    await expectRefused('a.zip', twice, /aparece dos veces/);

    const bomb = await zipOf({ [chat]: Buffer.alloc(3_000_000, 'a') });
    await expectRefused('a.zip', bomb, /ocupa demasiado/);
    // The same with a size that is a lie.
    await expectRefused('a.zip', patch(bomb, central, 24, 100, 0, 0, 0), /dañado|ocupa demasiado/);
    const huge = await zipOf({ [chat]: Buffer.alloc(10, 'a') });
    await expectRefused('a.zip', patch(huge, central, 24, 0, 0, 0, 0xf0), /ocupa demasiado/);
    let many = await zipOf({ [chat]: 'a', 'a.mp4': 'a', 'b.mp4': 'a', 'c.mp4': 'a', 'd.mp4': 'a' });
    for (let at = many.indexOf(central); at > 0; at = many.indexOf(central, at + 1)) {
      many = Buffer.from(many).fill(0x7f, at + 20, at + 28);
    }
    await expectRefused('a.zip', many, /pasa de 8192\u00a0MB/);
  });
});
