import { limits } from '../../shared/limits.ts';
import type { News, ReadingPosition } from '../../shared/people.ts';

/** How far the user has read channels, and how much is new there; none for those never visited. */
export type Reads = Readonly<News['reads']>;

/** Adds what the server answered. What was read meanwhile stays read. */
export function addNews(known: Reads, answered: Reads): Reads {
  const newer = Object.entries(answered).map(([id, read]) => {
    const before = known[id];
    return [id, before && before.number > read.number ? before : read] as const;
  });
  return { ...known, ...Object.fromEntries(newer) };
}

/**
 * Raises positions, before the server knows of them.
 * @param newestOf number of the newest comment known in a channel
 */
export function raiseReads(
  known: Reads,
  positions: ReadingPosition[],
  newestOf: (channelId: string) => number,
): Reads {
  const raised = positions.flatMap(({ channelId, number }) => {
    const { number: before = 0, unread = 0 } = known[channelId] ?? {};
    if (known[channelId] && number <= before) return [];
    const left = number < newestOf(channelId) ? leftUnread(unread, number - before) : 0;
    return [[channelId, { number, unread: left }] as const];
  });
  return raised.length === 0 ? known : { ...known, ...Object.fromEntries(raised) };
}

/** More than is counted may be unread: only the server knows what is left of it. */
function leftUnread(unread: number, read: number): number {
  return unread > limits.unreadCount ? unread : Math.max(0, unread - read);
}
