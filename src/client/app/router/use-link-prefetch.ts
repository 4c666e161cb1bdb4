import { useEffect } from 'react';
import { isLazyPage } from '../../../shared/pages.ts';
import { pageOf } from '../../dom/match-page.ts';
import { prefetchChannel } from '../../pages/channel/fetch-channel.ts';
import type { Store } from '../../state/store.ts';
import { useStore } from '../../state/store-provider.tsx';
import { lazyPages } from './lazy-pages.ts';

/** Time on a link before it is prefetched: a pointer that leaves sooner was only passing over. */
const hoverMs = 50;

/**
 * Prefetches the page of an internal link that is hovered, touched or focused, unless the browser is set to save
 * data: a channel's comments, or the script of another page.
 */
export function useLinkPrefetch(): void {
  const store = useStore();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onTarget = ({ target }: Event) => {
      clearTimeout(timer);
      const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
      const element = target instanceof Element ? target : null;
      if (!element || connection?.saveData) return;
      const link = element.closest('a');
      if (link?.origin !== location.origin) return;
      timer = setTimeout(() => prefetch(link, store), hoverMs);
    };
    addEventListener('pointerover', onTarget);
    addEventListener('focusin', onTarget);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerover', onTarget);
      removeEventListener('focusin', onTarget);
    };
  }, [store]);
}

function prefetch({ pathname, search }: HTMLAnchorElement, store: Store): void {
  const page = pageOf(pathname);
  if (isLazyPage(page.name)) lazyPages[page.name].load().catch(() => {});
  // A query string selects a range other than the first comments.
  if (page.name === 'channel' && search === '') void prefetchChannel(page.id, store);
}
