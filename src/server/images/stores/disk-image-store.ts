import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { meansMissing, ObjectNotFound } from './errors.ts';
import type { ByteRange, ImageStore } from './image-store.ts';
import { identityKey } from './storage-keys.ts';
import { renameDurably, sync } from './sync-files.ts';

/** Stores images as files of one folder. */
export class DiskImageStore implements ImageStore {
  readonly bucket = 'tertulia';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Atomic: writes and syncs a temporary file, renames it, then syncs the folder. */
  async write(key: string, bytes: Buffer): Promise<void> {
    const target = this.#path(key);
    // This key belongs to no image, so the sweep removes the file if the process is killed.
    const temporary = this.#path(`tmp.${randomUUID()}`);
    const firstCreated = await mkdir(this.#folder, { recursive: true });
    if (firstCreated) await sync(path.dirname(firstCreated));
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
    await rm(this.#path(key), { force: true });
  }

  async *list() {
    const folder = await opendir(this.#folder).catch((error: unknown) => {
      if (meansMissing(error)) return [];
      throw error;
    });
    for await (const { name } of folder) {
      if (name === identityKey) continue;
      // Another process may have removed it since the folder was read.
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

async function orNotFound<T>(key: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw meansMissing(error) ? new ObjectNotFound(key, error) : error;
  }
}
