import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { renameDurably, sync } from '../../database/sync-files.ts';
import { ApiError } from '../../http/api-error.ts';
import type { ByteRange, ImageStore } from './image-store.ts';

/** Images as files of one folder. */
export class DiskImageStore implements ImageStore {
  readonly bucket = 'tertulia';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Synced under a temporary name, then renamed, then the folder synced: whole or not there. */
  async write(key: string, bytes: Buffer): Promise<void> {
    const target = this.#path(key);
    // No image's, so that the sweep takes away what a killed process leaves.
    const temporary = this.#path(`tmp.${randomUUID()}`);
    const made = await mkdir(this.#folder, { recursive: true });
    if (made) await sync(path.dirname(made));
    try {
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await renameDurably(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async size(key: string): Promise<number> {
    return (await found(stat(this.#path(key)))).size;
  }

  async read(key: string, range?: ByteRange) {
    const file = await found(open(this.#path(key)));
    return file.createReadStream(range);
  }

  async readWhole(key: string, range?: ByteRange): Promise<Buffer> {
    return buffer(await this.read(key, range));
  }

  async remove(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async *list() {
    await mkdir(this.#folder, { recursive: true });
    for await (const { name } of await opendir(this.#folder)) {
      // Another sweep may have taken it since the folder was read.
      const written = await stat(this.#path(name)).catch(() => undefined);
      if (written) yield { key: name, writtenAtMs: written.mtimeMs };
    }
  }

  async check(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await access(this.#folder, constants.R_OK | constants.W_OK);
  }

  publicUrl(): undefined {
    return undefined;
  }

  #path(key: string): string {
    return path.join(this.#folder, key);
  }
}

async function found<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new ApiError('file_not_found', { cause: error });
  }
}
