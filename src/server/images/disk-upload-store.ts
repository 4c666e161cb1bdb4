import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import type { UploadStore } from './upload-store.ts';

/** Unfinished uploads as files of one folder. */
export class DiskUploadStore extends FileStore implements UploadStore {
  /** @throws what keeps the folder from being made; the constructor's own attempt would end the process */
  static async open(folder: string): Promise<DiskUploadStore> {
    await mkdir(folder, { recursive: true });
    return new DiskUploadStore({ directory: folder });
  }

  /** As the parent's, but says why it failed: on a full disk what has arrived so far stays. */
  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(this.#file(id), { flags: 'r+', start: offset });
    await pipeline(bytes, file);
    return offset + file.bytesWritten;
  }

  withFile<T>(id: string, _bytes: number, use: (file: string) => Promise<T>): Promise<T> {
    return use(this.#file(id));
  }

  #file(id: string): string {
    return path.join(this.directory, id);
  }
}
