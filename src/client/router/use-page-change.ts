import { useEffect, useLayoutEffect, useRef } from 'react';
import type { AppState } from '../state/state.ts';
import { useAppState, useStore } from '../state/store-provider.tsx';
import { findSubject } from './current-page.ts';
import type { Page } from './match-page.ts';
import { useQuery } from './navigation.tsx';
import { pageHead } from './page-head.ts';

/** Does by script what browsers do on a new document: sets the title and moves the focus. */
export function usePageChange(path: string, page: Page): void {
  const { dispatch } = useStore();
  const place = `${path} ${useQuery()}`;
  const shownPlace = useRef(place);
  const head = (state: AppState) => pageHead(page, findSubject(page, state));
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
    const main = document.querySelector('main');
    (main?.querySelector('h1') ?? main)?.focus({ preventScroll: true });
  }, [place, dispatch]);
}
