/**
 * Runs `work` in one tab at a time. A site without TLS has no `navigator.locks`: there two tabs may run
 * it at once, which idempotency keys make harmless.
 */
export async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(name, work) : work();
}
