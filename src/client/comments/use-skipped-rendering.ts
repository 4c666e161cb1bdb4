import { useEffect } from 'react';
import { useAppState } from '../state/store-provider.tsx';

/** Shorter lists are rendered whole. */
const leastComments = 150;

/**
 * Lets the browser skip what is out of view of a long list, so that typing stays fast below it. Only
 * comments that were rendered once are skipped: their heights are remembered, so nothing moves.
 */
export function useSkippedRendering(channelId: string): void {
  const comments = useAppState((state) => state.channels.get(channelId)?.comments);
  useEffect(() => {
    if (!comments || comments.length < leastComments) return;
    let frame = requestAnimationFrame(() => {
      // The heights are remembered at the end of the first frame.
      frame = requestAnimationFrame(() => {
        const items = document.querySelectorAll('li[id^="comentario-"]:not([data-skippable])');
        for (const item of items) item.setAttribute('data-skippable', '');
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [comments]);
}
