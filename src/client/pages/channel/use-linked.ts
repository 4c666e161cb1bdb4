import { useEffect, useRef } from 'react';
import { parseLinkedNumber } from '../../../shared/comment-id.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { useEntryState } from '../../router/entry-state.ts';
import { showFragment, useFragment, useQueryString } from '../../router/navigation.tsx';
import { useHydrated } from '../../state/store-provider.tsx';

/**
 * Marks the comment in the address, and scrolls to it when a link to it was followed.
 * @param isLoaded whether the page shows the range in the address
 */
export function useLinked(isLoaded: boolean): void {
  const number = parseLinkedNumber(new URLSearchParams(useQueryString()).get('n'));
  const fragment = useFragment();
  const id = fragment || (number ? commentAnchor(number) : '');
  // The browser has already scrolled to the fragment of a page that the server rendered.
  const isFirst = useRef(!useHydrated());
  const isFragmentPending = useEntryState((state) => state.isFragmentPending);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs again when more comments are loaded, one of which may be the linked one
  useEffect(() => {
    // The line above the first unread comment appears only after the server's news.
    const element =
      document.getElementById(id) ?? document.getElementById(commentAnchor(number ?? 0));
    element?.setAttribute('data-linked', '');
    if (element && isFirst.current) {
      isFirst.current = false;
      if (document.activeElement === document.body) element.focus({ preventScroll: true });
      if (element.id !== fragment && scrollY === 0) element.scrollIntoView();
    }
    return () => element?.removeAttribute('data-linked');
  }, [id, isLoaded, number, fragment]);

  useEffect(() => {
    const element = isFragmentPending && isLoaded && document.getElementById(id);
    if (element) showFragment(element);
  }, [id, isFragmentPending, isLoaded]);
}
