import { useEffect, useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { noteServerTime } from '../../api/call.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { keepReading } from '../../dom/keep-reading.ts';
import { lastLoaded } from '../../state/comment-span.ts';
import { useStore } from '../../state/store-provider.tsx';
import { type AccountParts, loadAccountParts } from '../../ui/loading/lazy-part.tsx';
import { numbersInUse } from '../reading/scroll-position.ts';
import { createAnnouncer } from './announcer.ts';
import { followChannel } from './live-stream.ts';

/**
 * After comments were added, the next ones wait for this multiple of the time that adding took, and are added
 * together: each time, a long list is laid out, which blocks typing.
 */
const restFactor = 100;
const longestRestMs = 5000;

/** A failed refresh is repeated after this multiple of the usual delay. */
const retryFactor = 10;

/** Comments newer than those on a page that shows the newest. */
export interface Newer {
  comments: Comment[];
  /** Whether there are further newer comments, in which case none are added and the page links to them. */
  isTooMuch: boolean;
}

export interface LiveOptions {
  channelId: string;
  isLoaded: boolean;
  /** Loads the channel as if its page had just been opened. */
  reload: () => void;
  refresh: (signal: AbortSignal) => Promise<Newer | undefined>;
}

/** Calls a function of the script for accounts, which pages of guests do without. */
function askAccount(ask: (parts: AccountParts) => Promise<void>): void {
  loadAccountParts()
    .then(ask)
    .catch(() => {});
}

/**
 * Adds new comments to the channel as they are written, in batches, and announces them. Text being read or typed
 * stays in place. Refetches the comments on the page when a stream opens, and soon after some of them have changed.
 * @param onAdded called with the number of comments by others, once they are at the end of the page
 */
export function useLiveComments(
  { channelId, isLoaded, reload, refresh }: LiveOptions,
  onAdded: (count: number) => void,
) {
  const store = useStore();
  const [announcement, setAnnouncement] = useState({ id: '', text: '' });

  useEffect(() => {
    if (!isLoaded) return;
    const { getState, dispatch } = store;
    const { announce, stop } = createAnnouncer(setAnnouncement);
    const findChannel = () => getState().channels.get(channelId);
    const isOwn = ({ autorId }: Comment) => autorId === getState().user.id;

    let arrived: Comment[] = [];
    let restUntilMs = 0;
    let addTimer: ReturnType<typeof setTimeout> | undefined;
    const addArrived = () => {
      const comments = arrived;
      arrived = [];
      addTimer = undefined;
      const startMs = performance.now();
      const inUse = numbersInUse(findChannel()?.comments ?? []);
      keepReading(() => {
        dispatch({ type: 'COMMENTS_ADDED', channelId, comments });
        dispatch({ type: 'SPAN_NARROWED', channelId, inUse });
      });
      const endMs = performance.now();
      restUntilMs = endMs + Math.min(restFactor * (endMs - startMs), longestRestMs);
      if (findChannel()?.span.last === null) {
        onAdded(comments.filter((one) => !isOwn(one)).length);
      }
    };
    const add = (comment: Comment) => {
      const isKnown = ({ number }: Comment) => number === comment.number;
      if (arrived.some(isKnown) || findChannel()?.comments.some(isKnown)) return;
      if (!isOwn(comment)) announce(comment);
      arrived.push(comment);
      addTimer ??= setTimeout(addArrived, restUntilMs - performance.now());
    };

    let refreshing = new AbortController();
    let refreshTimer: ReturnType<typeof setTimeout> | undefined;
    const refreshNow = async () => {
      clearTimeout(refreshTimer);
      refreshTimer = undefined;
      refreshing.abort();
      refreshing = new AbortController();
      const { signal } = refreshing;
      const countOwn = () => findChannel()?.comments.filter(isOwn).length ?? 0;
      const own = countOwn();
      const newer = await orFailure(refresh(signal));
      if (signal.aborted) return;
      if (newer instanceof Failure) {
        return newer.status === 404 ? reload() : refreshSoon(retryFactor);
      }
      // The server may have hidden the user's own comment by a decision of moderators.
      if (countOwn() < own) askAccount((parts) => parts.refetchDecisions(store));
      if (newer?.isTooMuch) dispatch({ type: 'COMMENTS_MISSED', channelId });
      else for (const comment of newer?.comments ?? []) add(comment);
    };
    /** Refetches after a random time, so that not all readers of a channel send requests at once. */
    const refreshSoon = (factor = 1) => {
      refreshTimer ??= setTimeout(refreshNow, factor * (1000 + 2000 * Math.random()));
    };

    const lastKnown = () => {
      // While later comments are not loaded, only new ones are requested.
      const channel = findChannel();
      return channel?.span.last === null ? lastLoaded(channel) : null;
    };
    const unfollow = followChannel(channelId, lastKnown, {
      // In a community of members, a read says whether the reader may still read.
      refused: () => refreshSoon(),
      events: {
        opened({ epoch, nowMs }) {
          noteServerTime(nowMs);
          const former = getState().epoch;
          dispatch({ type: 'LIVE_OPENED', epoch });
          if (former === null || former === epoch) return void refreshNow();
          dispatch({ type: 'SITE_RESTORED' });
          reload();
        },
        comment(comment) {
          // It may have been pending.
          if (isOwn(comment) && getState().hasPending)
            askAccount((parts) => parts.refetchPending(store));
          add(comment);
        },
        changed({ numbers }) {
          const channel = findChannel();
          if (!channel) return;
          // Changes before the loaded range are ignored unless a loaded reply quotes the comment. Changes after the
          // range may change the count of later comments.
          const isNamed = (number: number) =>
            number >= channel.span.first ||
            channel.comments.some(({ replyTo }) => replyTo === number);
          if (!numbers || numbers.some(isNamed)) refreshSoon();
        },
      },
    });

    let { changes } = findChannel() ?? {};
    const unsubscribe = store.subscribe(() => {
      const channel = findChannel();
      if (channel?.changes === changes) return;
      changes = channel?.changes;
      if (channel) void refreshNow();
    });

    return () => {
      unfollow();
      unsubscribe();
      stop();
      refreshing.abort();
      clearTimeout(refreshTimer);
      // The next stream sends these comments again.
      clearTimeout(addTimer);
    };
  }, [channelId, isLoaded, reload, refresh, onAdded, store]);

  return announcement;
}
