import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sync, writeDurably } from '../../system/files.ts';
import { meansMissing, ObjectNotFound, unlessMissing } from '../../system/missing.ts';
import type { ByteRange, ImageStore } from './image-store.ts';

/** Stores images as files in one folder. */
export class DiskImageStore implements ImageStore {
  readonly bucket = 'tertulia';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Atomic: writes and syncs a temporary file, renames it, then syncs the folder. */
  async write(key: string, bytes: Buffer): Promise<void> {
    const firstCreated = await mkdir(this.#folder, { recursive: true });
    if (firstCreated) await sync(path.dirname(firstCreated));
    await writeDurably(this.#path(key), this.#part(key), (part) => writeFile(part, bytes));
  }

  async size(key: string): Promise<number> {
    return (await orNotFound(key, stat(this.#path(key)))).size;
  }

  async read(key: string, range?: ByteRange) {
    const file = await orNotFound(key, open(this.#path(key)));
    return file.createReadStream(range);
  }

  async readWhole(key: string, range?: ByteRange): Promise<Buffer> {
    return buffer(await this.read(key, range));
  }

  async remove(key: string): Promise<void> {
    for (const file of [this.#part(key), this.#path(key)]) await rm(file, { force: true });
  }

  async *list() {
    for await (const { name } of (await unlessMissing(opendir(this.#folder))) ?? []) {
      // Another process may have removed it since the folder was read.
      const written = await unlessMissing(stat(this.#path(name)));
      if (written) yield { key: name, writtenAtMs: written.mtimeMs };
    }
  }

  async check(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await access(this.#folder, constants.R_OK | constants.W_OK);
  }

  /** Path of a file while it is written. A killed process leaves it behind, and `remove` removes it as well. */
  #part(key: string): string {
    return `${this.#path(key)}.part`;
  }

  #path(key: string): string {
    return path.join(this.#folder, key);
  }
}

async function orNotFound<T>(key: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw meansMissing(error) ? new ObjectNotFound(key, error) : error;
  }
}
