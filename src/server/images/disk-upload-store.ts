import path from 'node:path';
import { FileStore } from '@tus/file-store';
import type { UploadStore } from './upload-store.ts';

/** Unfinished uploads as files of one folder. */
export class DiskUploadStore extends FileStore implements UploadStore {
  withFile<T>(id: string, _bytes: number, use: (file: string) => Promise<T>): Promise<T> {
    return use(path.join(this.directory, id));
  }
}
