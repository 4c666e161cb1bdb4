import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Parser, type ReadEntry } from 'tar';
import { encodeEnd, endBytes } from './archive-writer.ts';
import { DamagedBackup, NoBackup } from './damaged-backup.ts';

/** Far above the size of any image: an entry that claims more is damaged. */
const maxEntryBytes = 1024 ** 3;
/** Every backup begins with the rows of a table. */
const firstBytes = Buffer.from('rows/');

interface Entry {
  name: string;
  bytes: Buffer;
}

/**
 * Reads the entries of an archive one by one, except the checksum at the end. Refuses entries other than plain files.
 * @throws NoBackup; DamagedBackup at the first unreadable entry, or at the end when the checksum differs
 */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  // O_NONBLOCK: opening a pipe without a writer would otherwise wait forever.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (!found.isFile()) throw new NoBackup(file, 'is not a file');
  if (found.size === 0) throw new NoBackup(file, 'is empty');
  // Checked because the parser would also accept a compressed archive.
  if (!firstBytes.equals(await readAt(handle, 0, firstBytes.length))) throw new NoBackup(file);
  const endAt = found.size - endBytes;
  if (endAt <= 0) throw new DamagedBackup(['the file is truncated']);

  let complete: Entry[] = [];
  let last = '';
  const parser = new Parser({ strict: true });
  parser.on('entry', (entry: ReadEntry) => {
    if (entry.type !== 'File' || entry.size > maxEntryBytes) refuse(entry.path);
    const parts: Buffer[] = [];
    entry.on('data', (part) => parts.push(part));
    entry.on('end', () => {
      complete.push({ name: entry.path, bytes: Buffer.concat(parts) });
      last = entry.path;
    });
  });
  parser.on('ignoredEntry', ({ path }: ReadEntry) => refuse(path));
  parser.on('meta', () => refuse('a header of another kind'));
  parser.on('nullBlock', () => refuse('a block of zeros'));

  const hash = createHash('sha256');
  try {
    const stream = handle.createReadStream({ end: endAt - 1, autoClose: false });
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      parser.write(chunk);
      yield* complete;
      complete = [];
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof Error) || !('tarCode' in error)) throw error;
    throw new DamagedBackup([`the file is damaged or truncated after ${last}`]);
  }
  if (!encodeEnd(hash).equals(await readAt(handle, endAt, endBytes))) {
    throw new DamagedBackup(['the file does not match its checksum']);
  }
}

function refuse(found: string): never {
  throw new DamagedBackup([`the file has ${found}, which no backup has`]);
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
