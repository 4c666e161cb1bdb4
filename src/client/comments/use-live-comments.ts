import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { parseCommentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { noteServerTime } from '../api/call.ts';
import { Failure, orFailure } from '../api/failures.ts';
import { askAgain, callKey } from '../api/user-query.ts';
import { focusElement } from '../components/focus-element.ts';
import { listOwnDecisions } from '../moderation/calls.ts';
import { lastLoadedId, loadedNumbers } from '../state/loaded-comments.ts';
import { useStore } from '../state/store-provider.tsx';
import { createAnnouncer } from './announcer.ts';
import { refreshHeld } from './held.ts';
import { followChannel } from './live-stream.ts';

/** Comments that arrive within this time are shown together, unless they are many. */
const batchMs = 500;
/** A refresh that failed is repeated after so many times the time of another. */
const retryFactor = 10;
/** The most comments that are held. More are left to be loaded; nor do so many wait for a batch. */
const maxHeld = 100;

/** Comments after those of a page that shows the newest. */
export interface Newer {
  comments: Comment[];
  /** Whether more than these follow, which are left to be loaded. */
  isTooMuch: boolean;
  /** Number of the newest comment when they were fetched. */
  newest: number;
}

export interface LiveOptions {
  channelId: string;
  isLoaded: boolean;
  /** Fetches the channel anew. */
  reload: () => void;
  /** Fetches again what is shown of it. */
  refresh: (signal: AbortSignal) => Promise<Newer | undefined>;
}

/** Whether a form of the page has the focus. Nothing on the screen must move then. */
const isWriting = () => document.querySelector('main form:focus-within') !== null;

/**
 * Adds new comments of the channel as they are written, and announces them. Fetches again what the page shows when a
 * stream opens, and soon after some of it has changed.
 * While a form has the focus, comments of others are held until `showHeld` is called, until an own
 * comment follows them, or until another arrives without a form in focus.
 */
export function useLiveComments({ channelId, isLoaded, reload, refresh }: LiveOptions) {
  const { getState, dispatch, subscribe } = useStore();
  const queryClient = useQueryClient();
  const waiting = useRef<Comment[]>([]);
  const [heldCount, setHeldCount] = useState(0);
  const [announcement, setAnnouncement] = useState({ id: '', text: '' });

  const addWaiting = useCallback(() => {
    const comments = waiting.current;
    waiting.current = [];
    setHeldCount(0);
    if (comments.length === 0) return;
    dispatch({ type: 'COMMENTS_ADDED', channelId, comments });
  }, [channelId, dispatch]);

  useEffect(() => {
    if (!isLoaded) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { announce, stop } = createAnnouncer(setAnnouncement);
    const findChannel = () => getState().channels.get(channelId);
    const newestShown = () => findChannel()?.comments.at(-1)?.number ?? 0;
    const isShown = (number: number) =>
      findChannel()?.comments.some((comment) => comment.number === number);

    const flush = () => {
      // While those before them are not loaded, they are only counted.
      const isHolding = isWriting() && findChannel()?.moreAfter === null;
      if (isHolding && waiting.current.length <= maxHeld) {
        return setHeldCount(waiting.current.length);
      }
      if (isHolding) dispatch({ type: 'COMMENTS_MISSED', channelId });
      addWaiting();
    };
    const flushSoon = () => {
      if (timer !== undefined && waiting.current.length < maxHeld) return;
      flush();
      timer ??= setTimeout(() => {
        timer = undefined;
        if (waiting.current.length > 0) flush();
      }, batchMs);
    };

    const add = (comment: Comment) => {
      const isWaiting = waiting.current.some(({ number }) => number === comment.number);
      if (isWaiting || isShown(comment.number)) return;
      waiting.current.push(comment);
      const isOwn = comment.autorId === getState().user.id;
      if (!isOwn) announce(comment);
      if (isOwn || comment.number < newestShown()) return addWaiting();
      flushSoon();
    };

    let refreshing = new AbortController();
    let refreshTimer: ReturnType<typeof setTimeout> | undefined;
    const refreshNow = async () => {
      clearTimeout(refreshTimer);
      refreshTimer = undefined;
      refreshing.abort();
      refreshing = new AbortController();
      const { signal } = refreshing;
      const { id } = getState().user;
      const countOwn = () =>
        findChannel()?.comments.filter(({ autorId }) => autorId === id).length ?? 0;
      const own = countOwn();
      const newer = await orFailure(refresh(signal));
      if (signal.aborted) return;
      if (newer instanceof Failure) {
        return newer.status === 404 ? reload() : refreshSoon(retryFactor);
      }
      // Moderators may have hidden it.
      if (countOwn() < own) askAgain(queryClient, { queryKey: callKey(id, listOwnDecisions) });
      if (!newer) return;
      const { comments, newest, isTooMuch } = newer;
      const present = new Map(comments.map((comment) => [comment.number, comment]));
      waiting.current = waiting.current.flatMap((one) =>
        one.number > newest ? one : (present.get(one.number) ?? []),
      );
      setHeldCount((count) => Math.min(count, waiting.current.length));
      if (isTooMuch) dispatch({ type: 'COMMENTS_MISSED', channelId });
      else for (const comment of comments) add(comment);
    };
    /** After a random time, so that the readers of a channel do not all ask at once. */
    const refreshSoon = (factor = 1) => {
      refreshTimer ??= setTimeout(refreshNow, factor * (1000 + 2000 * Math.random()));
    };

    const lastKnown = () => {
      // While older comments are missing, ask for new ones only.
      const channel = findChannel();
      return channel && !channel.moreAfter
        ? (parseCommentId(lastLoadedId(channel))?.number ?? null)
        : null;
    };
    const unfollow = followChannel(channelId, lastKnown, {
      opened({ epoch, nowMs }) {
        noteServerTime(nowMs);
        const former = getState().epoch;
        dispatch({ type: 'LIVE_OPENED', epoch });
        if (former === null || former === epoch) return void refreshNow();
        dispatch({ type: 'SITE_RESTORED' });
        reload();
      },
      comment(comment) {
        if (comment.autorId === getState().user.id) refreshHeld(queryClient, comment.autorId);
        add(comment);
      },
      changed({ numbers }) {
        const channel = findChannel();
        if (!channel) return;
        // Later ones are in the count of those that follow. Replies name the author of a comment, and quote it.
        const isNamed = (number: number) =>
          number >= loadedNumbers(channel)[0] ||
          channel.comments.some(({ replyTo }) => replyTo === number);
        if (!numbers || numbers.some(isNamed)) refreshSoon();
      },
    });
    // Held comments are shown before an own comment that was written after them, and only counted on a page
    // of earlier ones.
    const unsubscribe = subscribe(() => {
      const [first] = waiting.current;
      if (first && (newestShown() > first.number || findChannel()?.moreAfter)) addWaiting();
    });

    return () => {
      unfollow();
      unsubscribe();
      stop();
      refreshing.abort();
      clearTimeout(refreshTimer);
      clearTimeout(timer);
      // The next stream sends waiting comments again.
      waiting.current = [];
      setHeldCount(0);
    };
  }, [
    channelId,
    isLoaded,
    getState,
    dispatch,
    subscribe,
    reload,
    refresh,
    addWaiting,
    queryClient,
  ]);

  const showHeld = () => {
    const [first] = waiting.current;
    addWaiting();
    if (first) focusElement(commentAnchor(first.number));
  };

  return { heldCount, showHeld, announcement };
}
