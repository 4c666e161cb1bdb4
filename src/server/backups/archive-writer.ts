import { createHash, type Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Header } from 'tar/header';
import { renameDurably } from '../database/sync-files.ts';

const blockBytes = 512;
/** The last entry: a hash of every byte before it, so that no flipped one goes unseen. */
export const sealName = 'sha256';

/**
 * A tar file in the making. It carries its name only once it is whole and safe on the disk; until
 * then it is called `….part`.
 */
export class ArchiveWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** @throws when the file is there already: no backup is ever overwritten */
  static async create(file: string): Promise<ArchiveWriter> {
    await mkdir(path.dirname(file), { recursive: true });
    if (existsSync(file)) throw new Error(`${file} is there already`);
    // Only for its owner, since it holds hashes of passwords.
    return new ArchiveWriter(file, await open(`${file}.part`, 'w', 0o600));
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    for (const part of encodeEntry(name, bytes)) {
      this.#hash.update(part);
      await this.#handle.writeFile(part);
    }
  }

  async finish(): Promise<void> {
    await this.#handle.writeFile(encodeSeal(this.#hash));
    await this.#handle.sync();
    await this.#handle.close();
    await renameDurably(`${this.#file}.part`, this.#file);
  }

  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(`${this.#file}.part`, { force: true });
  }
}

/** What follows the bytes that the hash was fed with, to the end of the file. */
export function encodeSeal(hash: Hash): Buffer {
  const line = Buffer.from(`${hash.copy().digest('hex')}\n`);
  return Buffer.concat([...encodeEntry(sealName, line), Buffer.alloc(2 * blockBytes)]);
}

function encodeEntry(path: string, bytes: Buffer): Buffer[] {
  const header = new Header({ path, size: bytes.length, mode: 0o600, mtime: new Date(0) });
  header.type = 'File';
  const block = Buffer.alloc(blockBytes);
  if (header.encode(block)) throw new Error(`the name ${path} is too long for a tar file`);
  return [block, bytes, Buffer.alloc(paddingOf(bytes.length))];
}

/** Entries begin at whole blocks. */
export function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}
