import { useEffect } from 'react';
import { type CommentRange, isSameRange } from '../../shared/comment-range.ts';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { changeEntry, entryState, type ScrollPosition } from '../router/entry-state.ts';
import type { ChannelState } from '../state/state.ts';
import { useStore } from '../state/store-provider.tsx';

/** A pause in scrolling. Browsers limit how often the state of an entry may be replaced. */
const restMs = 300;

/** The position saved in the present history entry; undefined in one that a link has just opened. */
export const savedScrollPosition = (): ScrollPosition | undefined => entryState().scrollPosition;

/** Saves the position whenever it changes, once the page shows the range that the address asks for. */
export function useSavedScrollPosition(
  channelId: string,
  range: CommentRange,
  isLoaded: boolean,
): void {
  const { getState, subscribe } = useStore();
  useEffect(() => {
    if (!isLoaded) return;
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const findChannel = () => getState().channels.get(channelId);
    const save = () => {
      clearTimeout(timer);
      const channel = findChannel();
      const isShown = channel && isSameRange(channel.range, range);
      const scrollPosition = isShown ? findScrollPosition(channel) : undefined;
      if (scrollPosition) changeEntry({ scrollPosition });
    };
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(save, restMs);
    };
    let comments = findChannel()?.comments;
    const unsubscribe = subscribe(() => {
      const known = comments;
      comments = findChannel()?.comments;
      if (comments !== known) saveSoon();
    });
    addEventListener('scroll', saveSoon, { passive: true, signal });
    // Before a link is followed.
    addEventListener('click', save, { capture: true, signal });
    addEventListener('pagehide', save, { signal });
    return () => {
      stop.abort();
      unsubscribe();
      clearTimeout(timer);
    };
  }, [channelId, range, isLoaded, getState, subscribe]);
}

/** The present position; undefined without comments. */
export function findScrollPosition({
  comments,
  moreBefore,
  moreAfter,
}: ChannelState): ScrollPosition | undefined {
  const [first] = comments;
  const last = comments.at(-1);
  if (!first || !last) return undefined;
  // The uppermost comment that ends below the upper edge of the window, else the last one.
  let [low, high] = [0, comments.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boxOf(comments[middle])?.bottom ?? 0) > 0) high = middle;
    else low = middle + 1;
  }
  const { number } = comments[low] ?? last;
  return {
    first: moreBefore === null ? 1 : first.number,
    last: moreAfter === null ? Infinity : last.number,
    number,
    top: boxOf(comments[low])?.top ?? 0,
  };
}

/** The position before a reload, until the visitor does something. */
let reloaded: ScrollPosition | undefined;
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
const forgetReloaded = () => {
  reloaded = undefined;
};

export function noteReloaded(position: ScrollPosition | undefined): void {
  reloaded = position;
  for (const type of inputs) {
    addEventListener(type, forgetReloaded, { capture: true, once: true, passive: true });
  }
}

/**
 * Scrolls a page that was loaded again to where it was. Called when something was added that the server
 * does not render: the browser has scrolled as far as if it were there, and then kept what was in view.
 */
export function restoreReloaded(comments: Comment[]): void {
  if (!reloaded) return;
  const { style } = document.documentElement;
  style.overflowAnchor = 'none';
  restoreScrollPosition(reloaded, comments);
  requestAnimationFrame(() => {
    style.overflowAnchor = '';
  });
}

/** Scrolls to a saved position; if its comment was removed, to the one that follows it. */
export function restoreScrollPosition({ number, top }: ScrollPosition, comments: Comment[]): void {
  const comment = comments.find((one) => one.number >= number) ?? comments.at(-1);
  const box = boxOf(comment);
  if (box) scrollBy({ top: box.top - top, behavior: 'instant' });
}

const boxOf = (comment: Comment | undefined) =>
  comment && document.getElementById(commentAnchor(comment.number))?.getBoundingClientRect();
