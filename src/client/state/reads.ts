import { limits } from '../../shared/limits.ts';
import type { Follow } from '../../shared/notifications.ts';
import type { News, ReadingPosition } from '../../shared/people.ts';

/** The user's reading position and unread count in each channel. Lacks channels never visited. */
export type Reads = Readonly<News['reads']>;

/** Numbers up to which the user has read and that the server has not confirmed, by channel. */
export type UnsentReads = Readonly<Record<string, number>>;

/** Adds the server's response, except where the user has read further in the meantime. */
export function addNews(known: Reads, answered: Reads): Reads {
  const newer = Object.entries(answered).map(([id, read]) => {
    const before = known[id];
    return [id, before && before.number > read.number ? before : read] as const;
  });
  return { ...known, ...Object.fromEntries(newer) };
}

/** Joins answers about different channels. */
export const joinNews = (earlier: News, later: News): News => ({
  ...later,
  reads: { ...earlier.reads, ...later.reads },
  newChannels: [...earlier.newChannels, ...later.newChannels],
});

/**
 * Raises reading positions in the state before they are sent.
 * @param newestOf number of the newest known comment in a channel
 * @param follow the level where the user never chose one
 */
export function raiseReads(
  known: Reads,
  positions: ReadingPosition[],
  newestOf: (channelId: string) => number,
  follow: Follow,
): Reads {
  const raised = positions.flatMap(({ channelId, number }) => {
    const { number: before = 0, unread = 0, level = follow } = known[channelId] ?? {};
    if (known[channelId] && number <= before) return [];
    const left = number < newestOf(channelId) ? leftUnread(unread, number - before) : 0;
    return [[channelId, { ...known[channelId], number, unread: left, level }] as const];
  });
  return raised.length === 0 ? known : { ...known, ...Object.fromEntries(raised) };
}

/** Above `limits.unreadCount` the exact number is unknown, so it stays until the server counts again. */
function leftUnread(unread: number, read: number): number {
  return unread > limits.unreadCount ? unread : Math.max(0, unread - read);
}

/** Positions to send, by channel. A smaller number than one that waits changes nothing. */
export const addUnsent = (unsent: UnsentReads, positions: ReadingPosition[]): UnsentReads => ({
  ...unsent,
  ...Object.fromEntries(
    positions.map(({ channelId, number }) => [channelId, Math.max(number, unsent[channelId] ?? 0)]),
  ),
});

/** Keeps the positions in channels that were read further while these were sent. */
export const withoutSent = (unsent: UnsentReads, sent: ReadingPosition[]) =>
  Object.fromEntries(
    Object.entries(unsent).filter(
      ([id, number]) => !sent.some((one) => one.channelId === id && one.number === number),
    ),
  );
