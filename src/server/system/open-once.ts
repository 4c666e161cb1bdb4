/**
 * @returns a function that opens something at its first call, for all callers, and again after a failure,
 * which may pass: a full disk, or too many open files
 */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
