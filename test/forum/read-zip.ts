import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

/** The files of a ZIP by name, read from the directory at its end. @throws when the ZIP is damaged */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'));
  assert.ok(end >= 0, 'the archive has no end');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    const isCompressed = zip.readUInt16LE(at + 10) === 8;
    const [crc, packed] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)];
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((n) => zip.readUInt16LE(at + n));
    const name = zip.toString('utf8', at + 46, at + 46 + (nameBytes ?? 0));
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const body = zip.subarray(begin, begin + packed);
    const bytes = isCompressed ? inflateRawSync(body) : body;
    assert.equal(crc32(bytes), crc, name);
    assert.ok(!files.has(name));
    files.set(name, bytes);
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return files;
}

/** The rows in a file of JSON lines. */
export function rowsIn(files: Map<string, Buffer>, name: string): Record<string, unknown>[] {
  const lines = files.get(name)?.toString().split('\n') ?? [];
  assert.equal(lines.pop(), '', name);
  return lines.map((line) => JSON.parse(line));
}
