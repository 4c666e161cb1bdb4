import { ApiError } from '../http/api-error.ts';
import { type ConcurrencyBounds, ConcurrencyLimit } from './concurrency-limits.ts';

/** A transfer of bytes between a client and this server. */
export interface Transfer {
  /** Bytes moved so far; only differences matter. */
  movedBytes: () => number;
  /** Whether the transfer waits for the client and not for this server. */
  waitsForClient: () => boolean;
  /** Ends the transfer, because its slot is needed. */
  drop: () => void;
}

interface TransferBounds extends ConcurrencyBounds {
  /** Age from which even a fast transfer is dropped for one of another key; undefined for never. */
  longestMs?: number;
}

interface OpenTransfer extends Transfer {
  key: string;
  release: () => void;
  seenBytes: number;
  ageMs: number;
  /**
   * Exponential moving average, so that a pause between two packets is not slow. Capped at
   * `slowBytesPerSecond`, so that a burst counts only briefly. Undefined until first measured.
   */
  bytesPerSecond: number | undefined;
}

const measureMs = 1000;
/** Weight of the newest second in the average. */
const newestWeight = 0.3;
/** A transfer at this speed is not dropped as slow. */
const slowBytesPerSecond = 64 * 1024;

/**
 * Limits how many transfers are open at once, for each key and in total. When no slot is free, the slowest
 * transfer is dropped for the new one: the slowest of the key when its own slots are used up, the slowest of
 * all when the total is. If none is slow and the total is used up, the oldest of those that have lasted
 * `longestMs` is dropped. Counts within one process.
 */
export class TransferSlots {
  readonly #limit: ConcurrencyLimit;
  readonly #longestMs: number;
  /** Oldest first. */
  readonly #open = new Set<OpenTransfer>();
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: TransferBounds) {
    this.#limit = new ConcurrencyLimit(bounds);
    this.#longestMs = bounds.longestMs ?? Number.POSITIVE_INFINITY;
  }

  /**
   * @returns a function that releases the slot; further calls do nothing
   * @throws ApiError as ConcurrencyLimit does, when no transfer can be dropped
   */
  acquire(key: string, transfer: Transfer): () => void {
    const releaseSlot = this.#acquireSlot(key);
    const open: OpenTransfer = {
      ...transfer,
      key,
      release: () => {
        releaseSlot();
        this.#open.delete(open);
      },
      seenBytes: transfer.movedBytes(),
      ageMs: 0,
      bytesPerSecond: undefined,
    };
    this.#open.add(open);
    this.#timer ??= setInterval(() => this.#measure(), measureMs).unref();
    return open.release;
  }

  #acquireSlot(key: string): () => void {
    try {
      return this.#limit.acquire(key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const dropped =
        error.code === 'too_many_requests'
          ? this.#findSlowest(key)
          : (this.#findSlowest(undefined) ?? this.#findTooLong());
      if (!dropped) throw error;
      dropped.release();
      dropped.drop();
      return this.#limit.acquire(key);
    }
  }

  /** @param key undefined for the transfers of all keys */
  #findSlowest(key: string | undefined): OpenTransfer | undefined {
    let slowest: OpenTransfer | undefined;
    let least = slowBytesPerSecond;
    for (const open of this.#open) {
      if (key !== undefined && open.key !== key) continue;
      if (open.bytesPerSecond === undefined || open.bytesPerSecond >= least) continue;
      if (!open.waitsForClient()) continue;
      slowest = open;
      least = open.bytesPerSecond;
    }
    return slowest;
  }

  #findTooLong(): OpenTransfer | undefined {
    const [oldest] = this.#open;
    return oldest && oldest.ageMs >= this.#longestMs ? oldest : undefined;
  }

  #measure(): void {
    for (const open of this.#open) {
      const moved = open.movedBytes();
      // A transfer that began since the last measurement would seem slow.
      const isWholeSecond = open.ageMs > 0;
      open.ageMs += measureMs;
      if (!isWholeSecond) {
        open.seenBytes = moved;
        continue;
      }
      const now = Math.min(((moved - open.seenBytes) * 1000) / measureMs, slowBytesPerSecond);
      const before = open.bytesPerSecond ?? now;
      open.seenBytes = moved;
      open.bytesPerSecond = before + (now - before) * newestWeight;
    }
  }
}
