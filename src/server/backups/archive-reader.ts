import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Header } from 'tar/header';
import { paddingBytes } from './archive-output.ts';
import { blockBytes, checksumName, encodeChecksumEntry, paddingOf } from './archive-writer.ts';
import { DamagedBackup, NoBackup } from './damaged-backup.ts';

/** Far above the size of any image: a header that claims more is damaged. */
const maxEntryBytes = 1024 ** 3;

interface Entry {
  name: string;
  bytes: Buffer;
}

/**
 * Reads the entries of an archive one by one, without the checksum at its end.
 * @throws NoBackup; DamagedBackup where the archive is unreadable, or at its end when the checksum differs
 */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  // O_NONBLOCK: opening a pipe without a writer would otherwise wait forever.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  let position = 0;
  const read = async (length: number) => {
    const bytes = await readExactly(handle, length, position);
    position += length;
    return bytes;
  };
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new NoBackup(file, 'is not a file');
    if (found.size === 0) throw new NoBackup(file, 'is empty');
    const hash = createHash('sha256');
    let previous = '';
    for (;;) {
      const block = await read(blockBytes);
      const header = block && parseHeader(block);
      const size = header?.size ?? 0;
      const isSound = header?.cksumValid && size >= 0 && size <= maxEntryBytes;
      if (!block || !header?.path || !isSound) {
        if (position <= blockBytes) throw new NoBackup(file);
        const problem = block ? 'damaged' : 'truncated';
        throw new DamagedBackup([`the file is ${problem} after ${previous}`]);
      }
      if (header.path === checksumName) {
        const expected = encodeChecksumEntry(hash);
        const rest = await read(expected.length - blockBytes);
        const left = found.size - position;
        const padding = rest && left <= paddingBytes ? await read(left) : undefined;
        const isLast = padding?.every((byte) => byte === 0);
        if (rest && isLast && expected.equals(Buffer.concat([block, rest]))) return;
        throw new DamagedBackup(['the file does not match its checksum']);
      }
      const body = await read(size + paddingOf(size));
      if (!body) throw new DamagedBackup([`the file is truncated within ${header.path}`]);
      hash.update(block).update(body);
      yield { name: header.path, bytes: body.subarray(0, size) };
      previous = header.path;
    }
  } finally {
    await handle.close();
  }
}

/** @returns undefined when the block contains an invalid number */
function parseHeader(block: Buffer): Header | undefined {
  try {
    return new Header(block);
  } catch {
    return undefined;
  }
}

/** @returns `length` bytes from a position on; undefined when the file has fewer */
async function readExactly(
  handle: FileHandle,
  length: number,
  position: number,
): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return bytes;
}

export async function archiveBytes(file: string): Promise<number> {
  return (await stat(file)).size;
}
