import { useEffect, useEffectEvent } from 'react';
import { type Page, pageOf } from './match-page.ts';

/** A pointer that leaves a link sooner is on its way to something else. */
const hoverMs = 50;

/**
 * Prefetches the page of a link within the site that is hovered, touched or focused, unless the
 * browser is set to save data.
 */
export function usePrefetch(prefetch: (page: Page) => void): void {
  const onLink = useEffectEvent((link: HTMLAnchorElement) => prefetch(pageOf(link.pathname)));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onTarget = ({ target }: Event) => {
      clearTimeout(timer);
      const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
      const link = target instanceof Element && target.closest('a');
      if (!link || link.origin !== location.origin || connection?.saveData) return;
      timer = setTimeout(() => onLink(link), hoverMs);
    };
    addEventListener('pointerover', onTarget);
    addEventListener('focusin', onTarget);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerover', onTarget);
      removeEventListener('focusin', onTarget);
    };
  }, []);
}
