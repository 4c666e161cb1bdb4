import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Header } from 'tar/header';
import { encodeSeal, paddingOf, sealName } from './archive-writer.ts';
import { DamagedBackup } from './damaged-backup.ts';

const blockBytes = 512;
/** Far above any picture; what claims to be larger is damaged. */
const maxEntryBytes = 1024 ** 3;

interface Entry {
  name: string;
  bytes: Buffer;
}

/**
 * The entries of a backup one by one, its seal not among them.
 * @throws DamagedBackup where it cannot be read on, and at the end when any byte is another
 */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const handle = await open(file);
  try {
    const hash = createHash('sha256');
    let last = 'its beginning';
    for (;;) {
      const block = await take(handle, blockBytes);
      const header = block && new Header(block);
      const size = header?.size ?? 0;
      const isSound = header?.cksumValid && size >= 0 && size <= maxEntryBytes;
      if (!block || !header?.path || !isSound) {
        throw new DamagedBackup([`the file is damaged or cut off after ${last}`]);
      }
      if (header.path === sealName) {
        const seal = encodeSeal(hash);
        const rest = await take(handle, seal.length - blockBytes);
        const isLast = (await handle.read(Buffer.alloc(1), 0, 1)).bytesRead === 0;
        if (rest && isLast && seal.equals(Buffer.concat([block, rest]))) return;
        throw new DamagedBackup(['the file is not byte for byte as it was written']);
      }
      const body = await take(handle, size + paddingOf(size));
      if (!body) throw new DamagedBackup([`the file is cut off within ${header.path}`]);
      hash.update(block).update(body);
      yield { name: header.path, bytes: body.subarray(0, size) };
      last = header.path;
    }
  } finally {
    await handle.close();
  }
}

/** The next bytes; undefined when there are not as many. */
async function take(handle: FileHandle, length: number): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled);
    if (bytesRead === 0) return undefined;
    filled += bytesRead;
  }
  return bytes;
}
