import { useEffect } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { withoutAnchoring } from '../../dom/keep-in-place.ts';
import { changeEntry, entryState, type ScrollPosition } from '../../router/entry-state.ts';
import { useStore } from '../../state/store-provider.tsx';
import { unfold } from '../text/folded-text.tsx';

/** Pause in scrolling after which the position is saved. */
const restMs = 300;
/** Minimum time between two writes: browsers limit how often a history entry may be changed. */
const betweenMs = 1000;

/** The position saved in the current history entry; undefined in an entry that a link has just opened. */
export const savedScrollPosition = (): ScrollPosition | undefined => entryState().scrollPosition;

/**
 * Saves the position in the history entry once scrolling has paused, and on leaving.
 * @param isLoaded whether the page shows the range of the history entry
 */
export function useSavedScrollPosition(channelId: string, isLoaded: boolean): void {
  const { getState } = useStore();
  useEffect(() => {
    if (!isLoaded) return;
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let savedAtMs = 0;
    const cancel = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const save = () => {
      if (timer === undefined && savedScrollPosition()) return;
      cancel();
      savedAtMs = Date.now();
      const scrollPosition = findScrollPosition(getState().channels.get(channelId)?.comments ?? []);
      if (scrollPosition) changeEntry({ scrollPosition });
    };
    const saveSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(save, Math.max(restMs, savedAtMs + betweenMs - Date.now()));
    };
    addEventListener('scroll', saveSoon, { passive: true, signal });
    // Saves before a link is followed.
    addEventListener('click', save, { capture: true, signal });
    addEventListener('pagehide', save, { signal });
    // The timer would save the position in another entry.
    addEventListener('popstate', cancel, { signal });
    return () => {
      stop.abort();
      cancel();
    };
  }, [channelId, isLoaded, getState]);
}

/**
 * The uppermost comment whose bottom is below the top of the span, or else the last one; undefined without
 * comments.
 */
function findScrollPosition(comments: Comment[]): ScrollPosition | undefined {
  let [low, high] = [0, comments.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boxOf(comments[middle])?.bottom ?? 0) > 0) high = middle;
    else low = middle + 1;
  }
  const comment = comments[low];
  return comment && { n: comment.number, offset: Math.round(boxOf(comment)?.top ?? 0) };
}

/** Numbers of the comment that is read, and of those that have the focus, the composer or another form. */
export function numbersInUse(comments: Comment[]): number[] {
  const held = document.querySelectorAll('li[id^="comentario-"]:is(:focus-within, :has(form))');
  const reading = findScrollPosition(comments)?.n ?? 1;
  return [reading, ...[...held].map(numberOfElement)];
}

/** The number of a comment, by its element. */
export const numberOfElement = ({ id }: Element) => Number(id.split('-').at(-1));

/** Scrolls to a saved position; if its comment was removed, to the next comment. */
export function restoreScrollPosition({ n, offset }: ScrollPosition, comments: Comment[]): void {
  const comment = comments.find(({ number }) => number >= n) ?? comments.at(-1);
  const item = comment && document.getElementById(commentAnchor(comment.number));
  // The position is below the folded text, so it was whole.
  if (item && item.offsetHeight + offset < 0) unfold(item);
  const box = boxOf(comment);
  if (box) scrollBy({ top: box.top - offset, behavior: 'instant' });
}

/**
 * Restores the saved position of a page that the server rendered, now and once the page has loaded. By then the browser
 * has restored its scroll offset, which leads elsewhere if more comments or a reply were shown before the reload.
 */
export function restoreReloaded(comments: Comment[]): void {
  const saved = savedScrollPosition();
  if (!saved) return;
  const restore = () => withoutAnchoring(() => restoreScrollPosition(saved, comments));
  restore();
  if (document.readyState !== 'complete') {
    addEventListener('load', () => requestAnimationFrame(restore), { once: true });
  }
}

const boxOf = (comment: Comment | undefined) =>
  comment && document.getElementById(commentAnchor(comment.number))?.getBoundingClientRect();
