import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { FileStore } from '@tus/file-store';
import type { UploadStore } from './upload-store.ts';

/** Unfinished uploads as files of one folder. */
export class DiskUploadStore extends FileStore implements UploadStore {
  /** @throws when the folder cannot be made; the constructor alone would end the process then */
  static async open(folder: string): Promise<DiskUploadStore> {
    await mkdir(folder, { recursive: true });
    return new DiskUploadStore({ directory: folder });
  }

  withFile<T>(id: string, _bytes: number, use: (file: string) => Promise<T>): Promise<T> {
    return use(path.join(this.directory, id));
  }
}
