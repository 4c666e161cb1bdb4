import { useCallback, useRef } from 'react';
import { pages } from '../../shared/pages.ts';
import { preloadAccountBundle } from '../account/account-bundle-loader.tsx';
import { fetchChannel } from '../channels/fetch-channel.ts';
import { lacksComments } from '../state/state.ts';
import { useStore } from '../state/store.tsx';
import { pageOf } from './match-page.ts';

/** A pointer that passes by means nothing yet. */
const hoverMs = 50;
/** Where nothing can be hovered, a link that stays in view so long is being read. */
const readMs = 1_000;
const mostAtOnce = 4;

const underWay = new Set<string>();

/**
 * For a link within the site: fetches what the page behind it needs, once somebody seems about to
 * follow it. A channel goes into the state, so that its page shows at once; it asks for the newest
 * all the same, so what it shows may be older for that moment only. What the state has is not
 * fetched ahead, so it is once for each channel that is listed.
 */
export function usePrefetch(href: string) {
  const { state, dispatch } = useStore();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ href, state });
  latest.current = { href, state };

  const cancel = useCallback(() => clearTimeout(timer.current), []);

  const fetchIn = useCallback(
    (ms: number) => {
      const fetchAhead = async () => {
        const { href, state } = latest.current;
        const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
        const page = pageOf(href);
        if (connection?.saveData) return;
        if (pages[page.name].bundle) return preloadAccountBundle();
        if (page.name !== 'channel') return;
        const known = state.channels.find(({ _id }) => _id === page.id);
        if (!known || !lacksComments(known)) return;
        if (underWay.has(page.id) || underWay.size >= mostAtOnce) return;
        underWay.add(page.id);
        const result = await fetchChannel(page.id, null);
        underWay.delete(page.id);
        if ('type' in result) dispatch({ ...result, isAhead: true });
      };
      cancel();
      timer.current = setTimeout(fetchAhead, ms);
    },
    [cancel, dispatch],
  );

  const ref = useCallback(
    (link: HTMLAnchorElement) => {
      if (matchMedia('(hover: hover)').matches) return cancel;
      const observer = new IntersectionObserver(([entry]) =>
        entry?.isIntersecting ? fetchIn(readMs) : cancel(),
      );
      observer.observe(link);
      return () => {
        observer.disconnect();
        cancel();
      };
    },
    [fetchIn, cancel],
  );

  return {
    ref,
    onFocus: () => fetchIn(0),
    onPointerEnter: () => fetchIn(hoverMs),
    onPointerLeave: cancel,
  };
}
