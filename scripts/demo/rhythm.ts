import { seededRandom } from '../../src/server/pages/seeded-random.ts';

const minuteMs = 60_000;

export interface Span {
  openedMs: number;
  /** When the last comment was written. */
  latestMs: number;
}

/**
 * When each of the comments was written, oldest first: people answer each other within minutes,
 * then nobody writes for hours, and hardly anybody at night. The same seed and span give the same.
 */
export function commentTimes(seed: string, count: number, { openedMs, latestMs }: Span): number[] {
  if (count === 0) return [];
  const firstMs = openedMs + 10 * minuteMs;
  if (latestMs <= firstMs) throw new Error(`${seed}: no time for a conversation`);
  const random = seededRandom(seed);
  const times: number[] = [];
  let talkMs: number | undefined;
  while (times.length < count - 1) {
    const timeMs =
      talkMs !== undefined && random.chance(0.6)
        ? talkMs + (1 + 24 * random.next() ** 2) * minuteMs
        : firstMs + random.next() * (latestMs - firstMs);
    const said = timeMs < latestMs && random.chance(awake(timeMs));
    if (said) times.push(Math.round(timeMs));
    talkMs = said ? timeMs : undefined;
  }
  return [...times.sort((a, b) => a - b), latestMs];
}

/** How likely people are to write at that hour. */
function awake(timeMs: number): number {
  const hour = new Date(timeMs).getHours();
  if (hour < 1) return 0.3;
  if (hour < 8) return 0.01;
  return hour >= 19 ? 1 : 0.5;
}
