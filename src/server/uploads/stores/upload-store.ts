import type { DataStore } from '@tus/server';

/** An upload that is incomplete, or complete and not yet processed. */
export interface OpenUpload {
  id: string;
  /** Declared length in bytes; undefined while the client has not sent it. */
  size: number | undefined;
  isComplete: boolean;
  /** When bytes were last stored, or the upload was created, in milliseconds since 1970. */
  progressAtMs: number;
}

/** The tus server's store of unfinished uploads with additional methods. */
export interface UploadStore extends DataStore {
  /** Runs `use` with a complete upload as a file, which may be removed afterwards. */
  withFile<T>(id: string, bytes: number, use: (file: string) => Promise<T>): Promise<T>;
  /** Lists the uploads of an account, including those at other processes. */
  listOpen(accountId: string): Promise<OpenUpload[]>;
  /**
   * Removes uploads without progress since this time. Only for a store that processes share: each
   * process sweeps its own upload folder. @returns the number of removed uploads
   */
  sweep?(beforeMs: number): Promise<number>;
}
