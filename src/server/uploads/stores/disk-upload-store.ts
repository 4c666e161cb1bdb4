import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import { isUploadOf } from './upload-id.ts';
import type { OpenUpload, UploadStore } from './upload-store.ts';

/** Stores unfinished uploads as files of one folder. */
export class DiskUploadStore extends FileStore implements UploadStore {
  /** @throws when the folder cannot be created; FileStore's constructor would end the process then */
  static async open(folder: string): Promise<DiskUploadStore> {
    await mkdir(folder, { recursive: true });
    return new DiskUploadStore({ directory: folder });
  }

  withFile<T>(id: string, _bytes: number, use: (file: string) => Promise<T>): Promise<T> {
    return use(path.join(this.directory, id));
  }

  async listOpen(accountId: string): Promise<OpenUpload[]> {
    const names = await readdir(this.directory);
    const uploads = await Promise.all(
      names.filter((name) => isUploadOf(accountId, name)).map((id) => this.#describe(id)),
    );
    return uploads.filter((upload) => upload !== undefined);
  }

  /** Undefined when the upload was removed meanwhile. */
  async #describe(id: string): Promise<OpenUpload | undefined> {
    try {
      const { size, offset } = await this.getUpload(id);
      const { mtimeMs } = await stat(path.join(this.directory, id));
      return { id, size, isComplete: offset === size, progressAtMs: mtimeMs };
    } catch {
      return undefined;
    }
  }
}
