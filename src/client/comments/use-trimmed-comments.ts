import { useEffect, useEffectEvent, useState } from 'react';
import { earlierAnchor } from '../../shared/routes.ts';
import { useStore } from '../state/store-provider.tsx';
import { loadEarlier } from './load-comments.ts';

interface TrimmedOptions {
  channelId: string;
  /** What `before` took to load the comments that left the page last; null if none did. */
  trimmedBefore: string | null;
  /** What `before` takes to load the comments that precede those shown. */
  moreBefore: string | null;
}

/**
 * Loads comments that left the page, a page of them each time the reader scrolls up to within half a
 * window of the link that loads them too.
 */
export function useTrimmedComments(options: TrimmedOptions): void {
  const { channelId, trimmedBefore, moreBefore } = options;
  const store = useStore();
  /** What `before` takes after comments were loaded so. */
  const [loadedBefore, setLoadedBefore] = useState<string | null>(null);
  const isTrimmed = moreBefore === trimmedBefore || moreBefore === loadedBefore;

  const load = useEffectEvent(async (before: string) => {
    // After a failure the link remains.
    if ((await loadEarlier(channelId, before, store)) === null) return;
    setLoadedBefore(store.getState().channels.get(channelId)?.moreBefore ?? null);
  });

  useEffect(() => {
    const link = document.getElementById(earlierAnchor);
    if (!isTrimmed || !moreBefore || !link) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        void load(moreBefore);
      },
      { rootMargin: '50% 0px' },
    );
    observer.observe(link);
    return () => observer.disconnect();
  }, [isTrimmed, moreBefore]);
}
