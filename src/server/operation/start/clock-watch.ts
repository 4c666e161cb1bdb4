import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/tables.ts';
import { dayMs } from '../../system/times.ts';
import { findNewest } from './require-clock.ts';

/** How far the clock may be from what is expected of it before it is in doubt. */
const toleratedMs = dayMs;
/** How long nothing is erased after a start or a jump: long enough to notice a wrong clock and to set it. */
const heldMs = 3_600_000;

/**
 * Believes the clock, for what is erased, once the server has run for an hour since its start and since the last jump of
 * more than a day. What a wrong clock erases is gone for good, and what is erased an hour later harms nobody. Every start
 * begins such an hour, since rows may have been written with the wrong time; the log says only when the clock is more than a
 * day ahead of the newest row.
 */
export class ClockWatch {
  readonly #now: () => number;
  readonly #steadyNow: () => number;
  readonly #log: Pick<FastifyBaseLogger, 'warn'>;
  /** The clock's time minus that of the monotonic clock, in ms. */
  #offsetMs: number;
  /** Time of the monotonic clock until which nothing is erased. */
  #heldUntilMs: number;

  /**
   * @param newestMs the time of the newest row, or 0
   * @param steadyNow time of the monotonic clock, in ms
   */
  constructor(
    now: () => number,
    newestMs: number,
    log: Pick<FastifyBaseLogger, 'warn'>,
    steadyNow: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#steadyNow = steadyNow;
    this.#log = log;
    this.#offsetMs = now() - steadyNow();
    this.#heldUntilMs = steadyNow() + heldMs;
    const aheadMs = now() - newestMs;
    if (newestMs > 0 && aheadMs > toleratedMs) {
      this.#hold(`is ${inDays(aheadMs)} days ahead of the newest comment, session and decision`);
    }
  }

  /**
   * Call it before each pass that erases because of the time.
   * @returns the time of the pass; undefined while the clock is in doubt, when nothing may be erased
   */
  check(): number | undefined {
    const nowMs = this.#now();
    const steadyMs = this.#steadyNow();
    const jumpMs = nowMs - steadyMs - this.#offsetMs;
    this.#offsetMs += jumpMs;
    if (Math.abs(jumpMs) > toleratedMs) {
      this.#hold(`jumped ${inDays(Math.abs(jumpMs))} days ${jumpMs > 0 ? 'ahead' : 'back'}`);
    }
    return steadyMs < this.#heldUntilMs ? undefined : nowMs;
  }

  #hold(what: string): void {
    this.#heldUntilMs = this.#steadyNow() + heldMs;
    this.#log.warn(
      `The clock of this machine says ${new Date(this.#now()).toISOString()} and ${what}: nothing is erased for an hour. If it is wrong, set it before then.`,
    );
  }
}

/** Call it before the server listens, since requests write rows with the time that is to be checked. */
export async function watchClock(
  { db, now }: { db: Database; now: () => number },
  log: Pick<FastifyBaseLogger, 'warn'>,
  steadyNow?: () => number,
): Promise<ClockWatch> {
  return new ClockWatch(now, await findNewest(db), log, steadyNow);
}

const inDays = (ms: number) => Math.round(ms / dayMs);
