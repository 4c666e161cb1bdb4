import { useState } from 'react';
import type { ChannelState } from '../../state/state.ts';
import { useAppState, useUser } from '../../state/store-provider.tsx';

/** The unread comments of a channel when its page was opened. */
export interface Unread {
  /** Number of the last comment that the user had read. */
  after: number;
  count: number;
}

/**
 * The comments that were unread when the page was opened. The value does not change while the page is open and its
 * user is signed in; null without unread comments.
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

/** Number of the first unread comment, above which the page shows a line; undefined if it is not loaded. */
export function findFirstUnread(
  { comments, span }: ChannelState,
  { after }: Unread,
  userId: string,
): number | undefined {
  const [first] = comments;
  // The first unread comment is before the first loaded one.
  if (span.first > 1 && first && first.number > after + 1) return undefined;
  return comments.find(({ number, autorId }) => number > after && autorId !== userId)?.number;
}
