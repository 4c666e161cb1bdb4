import { createHash, type Hash } from 'node:crypto';
import { Header } from 'tar/header';
import { type ArchiveOutput, descriptorOutput, openFileOutput } from './archive-output.ts';
import { type ListSummary, toLine } from './manifest.ts';

/** A tar file consists of blocks of this size. */
export const blockBytes = 512;
/** Name of the last entry: the SHA-256 of every byte before it. */
export const checksumName = 'sha256';
/** Size at which a chunk of a list is written. */
const chunkChars = 1024 * 1024;

/** Writes a tar file. */
export class ArchiveWriter {
  readonly #output: ArchiveOutput;
  readonly #hash: Hash = createHash('sha256');

  private constructor(output: ArchiveOutput) {
    this.#output = output;
  }

  /** @param target path of a new file, or an open file descriptor @throws OperatorError when the file exists */
  static async create(target: string | number): Promise<ArchiveWriter> {
    return new ArchiveWriter(
      typeof target === 'string' ? await openFileOutput(target) : descriptorOutput(target),
    );
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    for (const part of encodeEntry(name, bytes)) {
      this.#hash.update(part);
      await this.#output.write(part);
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

  /** @param file another name for the archive, in the same folder @returns its name */
  async finish(file?: string): Promise<string> {
    await this.#output.write(encodeChecksumEntry(this.#hash));
    return this.#output.finish(file);
  }

  abort(): Promise<void> {
    return this.#output.abort();
  }
}

/** @param hash of all bytes before this entry @returns the rest of the file */
export function encodeChecksumEntry(hash: Hash): Buffer {
  const line = Buffer.from(`${hash.copy().digest('hex')}\n`);
  return Buffer.concat([...encodeEntry(checksumName, line), Buffer.alloc(2 * blockBytes)]);
}

function encodeEntry(path: string, bytes: Buffer): Buffer[] {
  const header = new Header({ path, size: bytes.length, mode: 0o600, mtime: new Date(0) });
  header.type = 'File';
  const block = Buffer.alloc(blockBytes);
  if (header.encode(block)) throw new Error(`the name ${path} is too long for a tar file`);
  return [block, bytes, Buffer.alloc(paddingOf(bytes.length))];
}

/** @returns how many bytes fill an entry up to a whole block */
export function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}
