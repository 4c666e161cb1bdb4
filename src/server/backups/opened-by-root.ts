import type { FileHandle } from 'node:fs/promises';

/** A file in a folder of root, opened by root. */
interface OpenedFile {
  handle: FileHandle;
  /** Bytes that may be used on its disk. */
  usableBytes: number;
}

/**
 * Files by path that this process opened as root before it became the owner of the data folder, who may
 * not open them (command/open-as-root.ts). A backup is written to one under its final name, since this
 * user cannot rename it.
 */
export const openedByRoot = new Map<string, OpenedFile>();
