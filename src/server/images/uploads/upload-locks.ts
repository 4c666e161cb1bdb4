import type { Lock, Locker, RequestRelease } from '@tus/server';
import { UploadLocked } from './upload-errors.ts';

/** How long a request waits for an upload that another request has locked. */
const maxWaitMs = 7_000;

/**
 * Allows one request at a time of this process for each upload. A new request asks the current holder to release the
 * lock; the holder then stores the bytes it has received. A client that lost its connection can therefore resume
 * before the server notices the loss. (A request that waits for tus's own MemoryLocker asks again in every turn of
 * the event loop, which takes a whole core and 60 MB a second.)
 */
export class UploadLocks implements Locker {
  readonly #held = new Map<string, { requestRelease: RequestRelease; released: Promise<void> }>();

  /** Asks every holder to release its lock, for a graceful shutdown. */
  requestReleases(): void {
    for (const { requestRelease } of this.#held.values()) void requestRelease();
  }

  newLock(id: string): Lock {
    let release = () => {};
    return {
      lock: async (signal, requestRelease) => {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
        for (let holder = this.#held.get(id); holder; holder = this.#held.get(id)) {
          await holder.requestRelease();
          await unlessAborted(holder.released, deadline);
        }
        const { promise: released, resolve } = Promise.withResolvers<void>();
        this.#held.set(id, { requestRelease, released });
        release = () => {
          this.#held.delete(id);
          resolve();
        };
      },
      unlock: async () => release(),
    };
  }
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new UploadLocked());
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
