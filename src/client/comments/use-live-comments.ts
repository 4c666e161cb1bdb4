import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { noteServerTime } from '../api/call.ts';
import { askAgain, callKey } from '../api/user-query.ts';
import { focusElement } from '../components/focus-element.ts';
import { keepReading } from '../components/keep-reading.ts';
import { listOwnDecisions } from '../moderation/calls.ts';
import { lastLoadedId } from '../state/loaded-comments.ts';
import { useStore } from '../state/store-provider.tsx';
import { createAnnouncer } from './announcer.ts';
import { refreshHeld } from './held.ts';
import { followChannel } from './live-stream.ts';

/** Comments that arrive within this time are shown together, unless they are many. */
const batchMs = 500;
/** The most comments that are held. More are left to be loaded; nor do so many wait for a batch. */
const maxHeld = 100;

export interface LiveOptions {
  channelId: string;
  isLoaded: boolean;
  /** Fetches the channel again. */
  reload: () => void;
}

/** Whether a form of the page has the focus. Nothing on the screen must move then. */
const isWriting = () => document.querySelector('main form:focus-within') !== null;

/**
 * Adds new comments of the channel as they are written, and announces them; shows edits and removals.
 * While a form has the focus, comments of others are held until `showHeld` is called, until an own
 * comment follows them, or until another arrives without a form in focus.
 */
export function useLiveComments({ channelId, isLoaded, reload }: LiveOptions) {
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

    const onRestored = () => {
      dispatch({ type: 'SITE_RESTORED' });
      reload();
    };

    const lastKnown = () => {
      // While older comments are missing, ask for new ones only.
      const channel = findChannel();
      const comment = channel && !channel.moreAfter ? lastLoadedId(channel) : null;
      const { generation } = getState();
      return { comment, changeNumber: channel?.changeNumber ?? 0, generation };
    };
    const unfollow = followChannel(channelId, lastKnown, {
      opened({ generation, nowMs }) {
        noteServerTime(nowMs);
        const former = getState().generation;
        dispatch({ type: 'LIVE_OPENED', generation });
        if (former !== null && former !== generation) onRestored();
      },
      comment(comment) {
        const { number, autorId } = comment;
        const isOwn = autorId === getState().user.id;
        if (isOwn) refreshHeld(queryClient, autorId);
        const isWaiting = waiting.current.some((one) => one.number === number);
        if (isWaiting || isShown(number)) return;
        waiting.current.push(comment);
        if (!isOwn) announce(comment);
        if (isOwn || number < newestShown()) return addWaiting();
        flushSoon();
      },
      edit(comment) {
        waiting.current = waiting.current.map((one) => (one.id === comment.id ? comment : one));
        keepReading(() => dispatch({ type: 'COMMENT_CHANGED', comment }));
      },
      gone({ number }) {
        waiting.current = waiting.current.filter((one) => one.number !== number);
        setHeldCount((count) => Math.min(count, waiting.current.length));
        const { id } = getState().user;
        const gone = findChannel()?.comments.find((one) => one.number === number);
        // Moderators may have hidden it.
        if (gone?.autorId === id)
          askAgain(queryClient, { queryKey: callKey(id, listOwnDecisions) });
        keepReading(() => dispatch({ type: 'COMMENT_REMOVED', channelId, number }));
      },
      channel: (channel) => dispatch({ type: 'CHANNEL_CHANGED', channel }),
      counts: (counts) => dispatch({ type: 'COMMENTS_COUNTED', channelId, ...counts }),
      missed({ changes, restored }) {
        if (restored) return onRestored();
        if (!changes) return dispatch({ type: 'COMMENTS_MISSED', channelId });
        dispatch({ type: 'CHANGES_MISSED', channelId });
        reload();
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
      clearTimeout(timer);
      // The next stream sends waiting comments again.
      waiting.current = [];
      setHeldCount(0);
    };
  }, [channelId, isLoaded, getState, dispatch, subscribe, reload, addWaiting, queryClient]);

  const showHeld = () => {
    const [first] = waiting.current;
    addWaiting();
    if (first) focusElement(commentAnchor(first.number));
  };

  return { heldCount, showHeld, announcement };
}
