import { seededRandom } from '../../src/server/pages/azulejo/seeded-random.ts';

const minuteMs = 60_000;

export interface Span {
  openedMs: number;
  /** Time of the last comment. */
  latestMs: number;
}

/**
 * Times of the comments of a channel, oldest first: replies follow within minutes, conversations are hours apart, and
 * few comments are written at night. The same seed and span always give the same times.
 */
export function commentTimes(seed: string, count: number, { openedMs, latestMs }: Span): number[] {
  if (count === 0) return [];
  const firstMs = openedMs + 10 * minuteMs;
  if (latestMs <= firstMs) throw new Error(`${seed}: no time for a conversation`);
  const random = seededRandom(seed);
  const times: number[] = [];
  /** The comment that the next one may reply to. */
  let lastMs: number | undefined;
  while (times.length < count - 1) {
    const timeMs =
      lastMs !== undefined && random.chance(0.6)
        ? lastMs + (1 + 24 * random.next() ** 2) * minuteMs
        : firstMs + random.next() * (latestMs - firstMs);
    const isWritten = timeMs < latestMs && random.chance(awake(timeMs));
    if (isWritten) times.push(Math.round(timeMs));
    lastMs = isWritten ? timeMs : undefined;
  }
  return [...times.sort((a, b) => a - b), latestMs];
}

/** The probability that a person writes at this hour. */
function awake(timeMs: number): number {
  const hour = new Date(timeMs).getHours();
  if (hour < 1) return 0.3;
  if (hour < 8) return 0.01;
  return hour >= 19 ? 1 : 0.5;
}
