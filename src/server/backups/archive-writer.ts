import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Header } from 'tar/header';
import { renameDurably } from '../files.ts';
import { OperatorError } from '../operator-error.ts';
import { type ListSummary, toLine } from './manifest.ts';
import { openedByRoot } from './opened-by-root.ts';

/** A tar file consists of blocks of this size. */
export const blockBytes = 512;
/** Name of the last entry: the SHA-256 of every byte before it. */
export const checksumName = 'sha256';
/** Size at which a chunk of a list is written. */
const chunkChars = 1024 * 1024;

/** Writes a tar file. Until it is complete and synced it is named `….part`, unless root has opened it. */
export class ArchiveWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** @throws OperatorError when the file exists: a backup is never overwritten */
  static async create(file: string): Promise<ArchiveWriter> {
    const opened = openedByRoot.get(file)?.handle;
    // Another backup may have been written to the file since root opened it.
    const exists = opened ? (await opened.stat()).size > 0 : existsSync(file);
    if (exists) throw new OperatorError(`${file} exists already`);
    if (opened) return new ArchiveWriter(file, opened);
    await mkdir(path.dirname(file), { recursive: true });
    // Only this user may read it, since a backup contains password hashes.
    return new ArchiveWriter(file, await open(`${file}.part`, 'wx', 0o600));
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    for (const part of encodeEntry(name, bytes)) {
      this.#hash.update(part);
      await this.#handle.writeFile(part);
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
    await this.#handle.writeFile(encodeChecksumEntry(this.#hash));
    await this.#handle.sync();
    await this.#handle.close();
    if (!openedByRoot.has(this.#file)) await renameDurably(`${this.#file}.part`, this.#file);
  }

  async abort(): Promise<void> {
    const isOpenedByRoot = openedByRoot.has(this.#file);
    if (isOpenedByRoot) await this.#handle.truncate().catch(() => {});
    await this.#handle.close().catch(() => {});
    if (!isOpenedByRoot) await rm(`${this.#file}.part`, { force: true });
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
