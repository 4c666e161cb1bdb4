import { useState } from 'react';
import type { ChannelState } from '../state/state.ts';
import { useAppState, useUser } from '../state/store-provider.tsx';

/** What was unread of a channel when the user came. */
export interface Unread {
  /** Number up to which the user had read. */
  after: number;
  count: number;
}

/**
 * What was unread when the page was opened, the same as long as it is open and its user signed in; null
 * without any.
 */
export function useUnread(channelId: string): Unread | null {
  const read = useAppState((state) => state.reads[channelId]);
  const { id: userId } = useUser();
  const [found, setFound] = useState<{ userId: string; unread: Unread | null } | null>(null);
  const isFound = found?.userId === userId;
  if (!isFound && read) {
    const unread = read.unread > 0 ? { after: read.number, count: read.unread } : null;
    setFound({ userId, unread });
  }
  return isFound ? found.unread : null;
}

/** Number of the loaded comment above which the line of the unread ones stands. */
export function findFirstUnread(
  { comments, moreBefore }: ChannelState,
  { after }: Unread,
  userId: string,
): number | undefined {
  const [first] = comments;
  // Unread comments may be missing above.
  if (moreBefore !== null && first && first.number > after + 1) return undefined;
  return comments.find(({ number, autorId }) => number > after && autorId !== userId)?.number;
}
