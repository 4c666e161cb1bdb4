/**
 * @returns a function that opens something on its first call and shares it among all callers. It tries again after a
 * failure, which may be temporary: a full disk, or too many open files
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
