import { useEffect, useRef } from 'react';
import { commentAnchor } from '../../shared/routes.ts';
import { showAwaited, useFragment, useQuery } from '../router/navigation.tsx';
import { useIsReady } from '../state/store-provider.tsx';

/** Marks the comment that the address names, and shows it when a link to it was followed. */
export function useTarget(isLoaded: boolean): void {
  const n = new URLSearchParams(useQuery()).get('n');
  const fragment = useFragment();
  const id = fragment || (n ? commentAnchor(Number(n)) : '');
  // False at hydration: a page from the server is where the browser has scrolled.
  const isReady = useIsReady();
  const isFromServer = useRef(!isReady);

  useEffect(() => {
    const element = document.getElementById(id);
    element?.setAttribute('data-target', '');
    if (isLoaded) showAwaited();
    if (isFromServer.current && isReady && element) {
      isFromServer.current = false;
      if (document.activeElement === document.body) element.focus({ preventScroll: true });
      if (!location.hash && scrollY === 0) element.scrollIntoView();
    }
    return () => element?.removeAttribute('data-target');
  }, [id, isLoaded, isReady]);
}
