import type { Lock, Locker, RequestRelease } from '@tus/server';
import { UploadLocked } from '../stores/errors.ts';

/** How long a request waits for an upload that another request holds. */
const maxWaitMs = 7_000;

export interface SharedLocks {
  /**
   * @param requestRelease called when another process wants the lock, or when it was lost
   * @throws UploadLocked when the signal aborts; DatabaseUnavailable
   */
  acquire(id: string, requestRelease: RequestRelease, signal: AbortSignal): Promise<void>;
  /** Never throws. */
  release(id: string): Promise<void>;
}

/**
 * Allows one request at a time for each upload. A new request asks the current holder to release the
 * lock; the holder then stores what it has received. A client that lost its connection can therefore
 * resume before the server notices the loss.
 */
export class UploadLocks implements Locker {
  readonly #held = new Map<string, { requestRelease: RequestRelease; released: Promise<void> }>();
  readonly #shared: SharedLocks | undefined;

  constructor(shared?: SharedLocks) {
    this.#shared = shared;
  }

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
        try {
          await this.#shared?.acquire(id, requestRelease, deadline);
        } catch (error) {
          release();
          throw error;
        }
      },
      unlock: async () => {
        await this.#shared?.release(id);
        release();
      },
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
