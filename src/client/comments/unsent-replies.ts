import { useMemo, useSyncExternalStore } from 'react';
import { draftKeys, onDraftChange } from '../storage/draft-changes.ts';

/** The beginning of the keys of an account's drafts of replies. The number of the original follows. */
export const replyPrefix = (userId: string, channelId: string) =>
  `comment-reply ${userId} ${channelId} `;

/**
 * Numbers of the comments of a channel that the account is replying to. Their forms are open: the draft of
 * a reply is stored from when its form is opened until it is sent or discarded.
 * @param userId null for guests
 */
export function useUnsentReplies(userId: string | null, channelId: string): ReadonlySet<number> {
  // React compares snapshots by identity, so this one is a string.
  const numbers = useSyncExternalStore(
    onDraftChange,
    () => (userId === null ? '' : draftKeys(replyPrefix(userId, channelId)).join()),
    () => '',
  );
  return useMemo(
    () =>
      new Set(
        numbers
          .split(',')
          .map(Number)
          .filter((number) => number > 0),
      ),
    [numbers],
  );
}
