import { createHash, type Hash } from 'node:crypto';
import { Header, Pack, ReadEntry } from 'tar';
import { type ListSummary, toLine } from './manifest.ts';

/** Name of the last entry: the SHA-256 of every byte before it. */
const checksumName = 'sha256';
/** Size of the checksum entry and the end-of-archive mark of a tar file. */
export const endBytes = 4 * 512;
/** Size of a list's chunk, in characters, at which it is written. */
const chunkChars = 1024 * 1024;

export type Write = (bytes: Buffer) => Promise<unknown>;

export class ArchiveWriter {
  readonly #pack = new Pack();
  readonly #hash = createHash('sha256');
  readonly #write: Write;

  constructor(write: Write) {
    this.#write = write;
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    for (const part of encodeEntry(this.#pack, name, bytes)) {
      this.#hash.update(part);
      await this.#write(part);
    }
  }

  /** Adds a list of JSON lines, in chunks named `<name>.000001.ndjson`. */
  async addList(name: string, batches: AsyncIterable<unknown[]>): Promise<ListSummary> {
    const hash = createHash('sha256');
    let count = 0;
    let chunks = 0;
    let lines = '';
    const addChunk = async () => {
      const bytes = Buffer.from(lines);
      lines = '';
      chunks++;
      hash.update(bytes);
      await this.add(`${name}.${String(chunks).padStart(6, '0')}.ndjson`, bytes);
    };
    for await (const items of batches) {
      count += items.length;
      for (const item of items) {
        lines += toLine(item);
        if (lines.length >= chunkChars) await addChunk();
      }
    }
    if (lines !== '') await addChunk();
    return { count, sha256: hash.digest('hex') };
  }

  async finish(): Promise<void> {
    await this.#write(encodeEnd(this.#hash));
  }
}

/** @param hash of all preceding bytes @returns the last bytes of the file */
export function encodeEnd(hash: Hash): Buffer {
  const pack = new Pack();
  const entry = [...encodeEntry(pack, checksumName, Buffer.from(`${hash.digest('hex')}\n`))];
  pack.end();
  return Buffer.concat([...entry, ...readAll(pack)]);
}

function encodeEntry(pack: Pack, path: string, bytes: Buffer): Iterable<Buffer> {
  const size = bytes.length;
  const header = new Header({ path, type: 'File', size, mode: 0o600, mtime: new Date(0) });
  const entry = new ReadEntry(header);
  pack.add(entry);
  entry.end(bytes);
  return readAll(pack);
}

function* readAll(pack: Pack): Generator<Buffer> {
  for (let part = pack.read(); part; part = pack.read()) yield part;
}
