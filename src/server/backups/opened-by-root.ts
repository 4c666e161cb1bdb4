import type { FileHandle } from 'node:fs/promises';

/** A file in a folder of root, opened by root. */
interface OpenedFile {
  handle: FileHandle;
  /** Bytes that may be used on its disk. */
  usableBytes: number;
}

/**
 * Files that this process opened while it was root, by their paths: it may open them no longer since it
 * became the owner of the data (command/open-as-root.ts). A backup that is written to one has its
 * final name from the beginning, since it cannot be renamed.
 */
export const openedByRoot = new Map<string, OpenedFile>();
