import { createContext, useContext, useMemo } from 'react';
import type { Store } from '../state/store.ts';
import { useStore } from '../state/store-provider.tsx';
import { type Page, pageOf } from './match-page.ts';

/** A shorter hover is a pointer on its way to something else. */
const hoverMs = 50;
/** On touch screens: a link in view for this long is being read. */
const readMs = 1_000;

/** Loads what a page needs before it is opened. Provided by the app, which knows the pages. */
export const PrefetchPage = createContext((_page: Page, _store: Store): void => {});

/** Props for a link within the site that prefetch its page when it is likely to be opened. */
export function usePrefetch(href: string) {
  const store = useStore();
  const prefetchPage = useContext(PrefetchPage);

  return useMemo(
    () => prefetchProps(() => prefetchPage(pageOf(href), store)),
    [href, prefetchPage, store],
  );
}

function prefetchProps(prefetch: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  const prefetchIn = (ms: number) => {
    cancel();
    timer = setTimeout(() => {
      const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
      if (!connection?.saveData) prefetch();
    }, ms);
  };
  return {
    ref(link: HTMLAnchorElement) {
      if (matchMedia('(hover: hover)').matches) return cancel;
      const observer = new IntersectionObserver(([entry]) =>
        entry?.isIntersecting ? prefetchIn(readMs) : cancel(),
      );
      observer.observe(link);
      return () => {
        observer.disconnect();
        cancel();
      };
    },
    onFocus: () => prefetchIn(0),
    onPointerEnter: () => prefetchIn(hoverMs),
    onPointerLeave: cancel,
  };
}
