import type { DataStore } from '@tus/server';

/** An upload that is incomplete, or complete and not yet processed. */
export interface OpenUpload {
  id: string;
  /** Declared bytes; undefined while the client has not said. */
  size: number | undefined;
  isComplete: boolean;
  /** When bytes were last stored, or it was created; milliseconds since 1970. */
  progressAtMs: number;
}

/** Stores unfinished uploads: the tus server's store with additional methods. */
export interface UploadStore extends DataStore {
  /** Gives `use` a complete upload as a file, which is there until it is done. */
  withFile<T>(id: string, bytes: number, use: (file: string) => Promise<T>): Promise<T>;
  /** Uploads of an account, those that other processes write too. */
  listOpen(accountId: string): Promise<OpenUpload[]>;
  /**
   * Removes uploads without progress since this time from a store that processes share; the folder
   * of uploads is swept separately by every process. @returns the number of removed uploads
   */
  sweep?(beforeMs: number): Promise<number>;
}
