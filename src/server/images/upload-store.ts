import type { DataStore } from '@tus/server';

/** Where unfinished uploads gather: the tus server's store, and what else is asked of it here. */
export interface UploadStore extends DataStore {
  /** Gives `use` a complete upload as a file, which is there until it is done. */
  withFile<T>(id: string, bytes: number, use: (file: string) => Promise<T>): Promise<T>;
  /**
   * Removes what nobody has gone on with since this time. For a store that all processes share: the
   * folder of uploads is swept by every process. @returns how many uploads went
   */
  sweep?(beforeMs: number): Promise<number>;
}
