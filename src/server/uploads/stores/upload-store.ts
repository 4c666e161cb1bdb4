import type { DataStore } from '@tus/server';

/** An upload of which bytes may still come, or that is complete and not yet taken in. */
export interface OpenUpload {
  id: string;
  /** Declared bytes; undefined while the client has not said. */
  size: number | undefined;
  isComplete: boolean;
  /** When bytes of it were last kept, or it was created; milliseconds since 1970. */
  progressAtMs: number;
}

/** Where unfinished uploads gather: the tus server's store, and what else is asked of it here. */
export interface UploadStore extends DataStore {
  /** Gives `use` a complete upload as a file, which is there until it is done. */
  withFile<T>(id: string, bytes: number, use: (file: string) => Promise<T>): Promise<T>;
  /** Uploads of an account, those that other processes write too. */
  listOpen(accountId: string): Promise<OpenUpload[]>;
  /**
   * Removes what nobody has gone on with since this time. For a store that all processes share: the
   * folder of uploads is swept by every process. @returns how many uploads went
   */
  sweep?(beforeMs: number): Promise<number>;
}
