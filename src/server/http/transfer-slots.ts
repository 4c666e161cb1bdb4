import { ApiError } from './api-error.ts';
import { type ConcurrencyBounds, ConcurrencyLimit } from './concurrency-limits.ts';

/** Bytes on their way between a client and here. */
export interface Transfer {
  /** How many have moved so far; only differences count. */
  movedBytes: () => number;
  /** Whether it is the client that keeps it from moving, and not this server. */
  waitsForClient: () => boolean;
  /** Ends it, because its place is needed. */
  drop: () => void;
}

interface Held {
  key: string;
  transfer: Transfer;
  release: () => void;
  seenBytes: number;
  /**
   * Smoothed, so that a pause between two packets is not slow, and never above what is slow, so that
   * a burst is soon forgotten. Undefined until first measured.
   */
  bytesPerSecond: number | undefined;
}

const measureMs = 1000;
/** How much of the newest second there is in the smoothed speed. */
const newest = 0.3;
/** A transfer that is faster than this never gives way. */
const slowBytesPerSecond = 64 * 1024;

/**
 * Bounds how many transfers are open at once, for each key and in total. When places run out the
 * slowest one gives way to the newcomer: of the key itself when its own places are taken, of all
 * when there are none left. Counts within one process.
 */
export class TransferPlaces {
  readonly #limit: ConcurrencyLimit;
  readonly #held = new Set<Held>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: ConcurrencyBounds) {
    this.#limit = new ConcurrencyLimit(bounds);
  }

  /**
   * @returns gives the place back; further calls do nothing
   * @throws ApiError as ConcurrencyLimit does, when no slow transfer can give way
   */
  take(key: string, transfer: Transfer): () => void {
    const acquired = this.#acquire(key);
    const held: Held = {
      key,
      transfer,
      release: () => {
        acquired();
        this.#held.delete(held);
        if (this.#held.size === 0) this.#stopMeasuring();
      },
      seenBytes: transfer.movedBytes(),
      bytesPerSecond: undefined,
    };
    this.#held.add(held);
    this.#timer ??= setInterval(() => this.#measure(), measureMs).unref();
    return held.release;
  }

  #acquire(key: string): () => void {
    try {
      return this.#limit.acquire(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const ofKey = error.code === 'too_many_requests';
      const slowest = this.#slowest([...this.#held].filter((one) => !ofKey || one.key === key));
      if (!slowest) throw error;
      slowest.release();
      slowest.transfer.drop();
      return this.#limit.acquire(key);
    }
  }

  #slowest(candidates: Held[]): Held | undefined {
    let slowest: Held | undefined;
    let least = slowBytesPerSecond;
    for (const one of candidates) {
      // One that has just begun has had no time to be fast.
      if (one.bytesPerSecond === undefined || one.bytesPerSecond >= least) continue;
      if (!one.transfer.waitsForClient()) continue;
      slowest = one;
      least = one.bytesPerSecond;
    }
    return slowest;
  }

  #measure(): void {
    for (const one of this.#held) {
      const moved = one.transfer.movedBytes();
      const now = Math.min(((moved - one.seenBytes) * 1000) / measureMs, slowBytesPerSecond);
      const before = one.bytesPerSecond ?? now;
      one.seenBytes = moved;
      one.bytesPerSecond = before + (now - before) * newest;
    }
  }

  #stopMeasuring(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
