import { useEffect } from 'react';
import { useAppState } from '../../state/store-provider.tsx';

/** Shorter lists are rendered whole. */
const leastComments = 150;
/** So many are marked at once: each time, the browser lays out the whole list again. */
const leastItems = 20;

/**
 * Lets the browser skip rendering comments of a long list that are out of view, so that typing below stays
 * fast. Skipped comments were rendered once: the browser remembers their heights, so nothing moves.
 */
export function useSkippedRendering(channelId: string): void {
  const comments = useAppState((state) => state.channels.get(channelId)?.comments);
  useEffect(() => {
    if (!comments || comments.length < leastComments) return;
    let frame = requestAnimationFrame(() => {
      // The browser remembers the heights at the end of the first frame.
      frame = requestAnimationFrame(() => {
        const items = document.querySelectorAll('li[id^="comentario-"]:not([data-skippable])');
        if (items.length < leastItems) return;
        for (const item of items) item.setAttribute('data-skippable', '');
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [comments]);
}
