import { useEffect } from 'react';
import { useAppState } from '../../state/store-provider.tsx';

/** Shorter lists are rendered completely. */
const leastComments = 150;
/** Minimum number of comments to mark together, since the browser lays out the whole list again each time. */
const leastItems = 20;

/**
 * Lets the browser skip rendering off-screen comments of a long list, so that typing below stays fast. Each comment
 * is rendered once before it is skipped: the browser remembers its height, so nothing moves.
 */
export function useSkippedRendering(channelId: string): void {
  const comments = useAppState((state) => state.channels.get(channelId)?.comments);
  useEffect(() => {
    if (!comments || comments.length < leastComments) return;
    let frame = requestAnimationFrame(() => {
      // The browser remembers heights at the end of the first frame.
      frame = requestAnimationFrame(() => {
        const items = document.querySelectorAll('li[id^="comentario-"]:not([data-skippable])');
        if (items.length < leastItems) return;
        for (const item of items) item.setAttribute('data-skippable', '');
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [comments]);
}
