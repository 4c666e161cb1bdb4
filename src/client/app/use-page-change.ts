import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Page } from '../router/match-page.ts';
import { useAppState, useSite, useStore } from '../state/store-provider.tsx';
import { pageHead, searchedWords } from './page-head.ts';

/**
 * Does in script what browsers do for a new document: sets the title and moves the focus.
 * @param address path and query
 */
export function usePageChange(page: Page, address: string): void {
  const { dispatch } = useStore();
  const site = useSite();
  const shownAddress = useRef(address);
  const channel = useAppState(({ channels }) =>
    page.name === 'channel' ? channels.get(page.id) : undefined,
  );
  const person = useAppState((state) =>
    page.name === 'user' && state.person?.id === page.id ? state.person : undefined,
  );
  const { title, description } = pageHead(
    page,
    channel ?? person ?? searchedWords(page, address),
    site,
  );

  useEffect(() => {
    document.title = title;
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  }, [title, description]);

  useLayoutEffect(() => {
    if (shownAddress.current === address) return;
    shownAddress.current = address;
    dispatch({ type: 'DELETE_ERROR' });
    dispatch({ type: 'ADDRESS_MISSING', address: null });
    // A search field keeps the focus when its search is submitted.
    if (document.activeElement?.matches('[type="search"]')) return;
    const main = document.querySelector('main');
    (main?.querySelector('h1') ?? main)?.focus({ preventScroll: true });
  }, [address, dispatch]);
}
