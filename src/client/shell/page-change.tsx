import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Page } from '../router/match-page.ts';
import type { AppState } from '../state/state.ts';
import { useAppState, useStore } from '../state/store-provider.tsx';
import { findSubject, pageHead } from './page-head.ts';

export interface PageChangeProps {
  page: Page;
  /** Path and query of the page. */
  place: string;
}

/** Does by script what browsers do on a new document: sets the title and moves the focus. */
export function PageChange({ page, place }: PageChangeProps) {
  const { dispatch } = useStore();
  const shownPlace = useRef(place);
  const head = (state: AppState) => pageHead(page, findSubject(page, place, state));
  const title = useAppState((state) => head(state).title);
  const description = useAppState((state) => head(state).description);

  useEffect(() => {
    document.title = title;
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  }, [title, description]);

  useLayoutEffect(() => {
    if (shownPlace.current === place) return;
    shownPlace.current = place;
    dispatch({ type: 'DELETE_ERROR' });
    // The address follows the text in a search field, which keeps the focus.
    if (document.activeElement?.matches('[type="search"]')) return;
    const main = document.querySelector('main');
    (main?.querySelector('h1') ?? main)?.focus({ preventScroll: true });
  }, [place, dispatch]);

  return null;
}
