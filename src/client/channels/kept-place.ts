import { useEffect } from 'react';
import type { CommentRange } from '../../shared/comment-range.ts';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { type Anchors, useAnchors } from '../components/anchors.tsx';
import type { ChannelState } from '../state/state.ts';
import { useStore } from '../state/store-provider.tsx';

/** The comments that a history entry shows and where the reader is, for Back. */
export interface KeptPlace {
  /** Numbers of the first and the last comment. */
  first: number;
  last: number;
  /** Number of the uppermost comment in the window, and the distance between their tops in CSS pixels. */
  number: number;
  top: number;
}

/** Browsers limit how often the state of an entry may be replaced. */
const restMs = 300;

/** The place that was kept in the present history entry; undefined in one that a link has just opened. */
export const readKeptPlace = (): KeptPlace | undefined => history.state?.kept;

/** Keeps the place of a channel's page in its history entry, once the list is the one that the address asks for. */
export function useKeptPlace(channelId: string, range: CommentRange, isLoaded: boolean): void {
  const { getState, subscribe } = useStore();
  const anchors = useAnchors();
  useEffect(() => {
    if (!isLoaded) return;
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const findChannel = () => getState().channels.get(channelId);
    const keep = () => {
      clearTimeout(timer);
      const channel = findChannel();
      const kept = channel?.range === range ? findPlace(channel, anchors) : undefined;
      if (kept) history.replaceState({ ...history.state, kept }, '');
    };
    const keepSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, restMs);
    };
    let comments = findChannel()?.comments;
    const unsubscribe = subscribe(() => {
      const known = comments;
      comments = findChannel()?.comments;
      if (comments !== known) keepSoon();
    });
    addEventListener('scroll', keepSoon, { passive: true, signal });
    // Before a link is followed.
    addEventListener('click', keep, { capture: true, signal });
    addEventListener('pagehide', keep, { signal });
    return () => {
      stop.abort();
      unsubscribe();
      clearTimeout(timer);
    };
  }, [channelId, range, isLoaded, getState, subscribe, anchors]);
}

/** The place of the reader now; undefined without comments. */
export function findPlace(
  { comments, moreBefore }: ChannelState,
  anchors: Anchors,
): KeptPlace | undefined {
  const [first] = comments;
  const last = comments.at(-1);
  if (!first || !last) return undefined;
  // The uppermost comment that ends below the upper edge of the window, else the last one.
  let [low, high] = [0, comments.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boxOf(comments[middle], anchors)?.bottom ?? 0) > 0) high = middle;
    else low = middle + 1;
  }
  const { number } = comments[low] ?? last;
  return {
    first: moreBefore === null ? 1 : first.number,
    last: last.number,
    number,
    top: boxOf(comments[low], anchors)?.top ?? 0,
  };
}

/** Scrolls to a place; if its comment was removed, to the one that follows it. */
export function restorePlace(
  { number, top }: KeptPlace,
  comments: Comment[],
  anchors: Anchors,
): void {
  const comment = comments.find((one) => one.number >= number) ?? comments.at(-1);
  const box = boxOf(comment, anchors);
  if (box) scrollBy({ top: box.top - top, behavior: 'instant' });
}

const boxOf = (comment: Comment | undefined, { find }: Anchors) =>
  comment && find(commentAnchor(comment.number))?.getBoundingClientRect();
