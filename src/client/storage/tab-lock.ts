/** The last work of each name in this tab, where the browser has no locks. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs `work` in one tab at a time. A site without TLS has no `navigator.locks`: there only in this tab one
 * after the other. Two tabs may then run it at once, and send a comment twice that waited for an image in both.
 */
export async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  if ('locks' in navigator) return navigator.locks.request(name, work);
  const running = (last.get(name) ?? Promise.resolve()).then(work, work);
  last.set(name, running);
  return running;
}
