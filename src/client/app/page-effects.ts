import { useEffect } from 'react';
import { setRefusalHandler } from '../api/request.ts';
import { useSearchForms } from '../pages/search/use-search-forms.ts';
import { changeEntry, entryState } from '../router/entry-state.ts';
import type { Page } from '../router/match-page.ts';
import { followBrowser, leaveClosed } from '../session/reload-page.ts';
import { useAppState, useSite, useStore } from '../state/store-provider.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import { keepTimes } from '../ui/time/keep-times.ts';
import { keepFocus } from './keep-focus.ts';
import { lazyPages } from './lazy-pages.ts';
import { usePageChange } from './use-page-change.ts';

/** Pages are loaded ahead so long after the first view, with which they would compete. */
export const quietMs = 5000;

interface PageEffectsProps {
  page: Page;
  /** Path and query. */
  address: string;
}

/**
 * Effects of every page, such as its title and focus. It is a component so that a change of the title does not
 * render the page again.
 */
export function PageEffects({ page, address }: PageEffectsProps) {
  const store = useStore();
  usePageChange(page, address);
  useSearchForms();
  const isMembersOnly = useSite().readers === 'members';
  const isGuest = !useAppState((state) => state.wasSignedIn);
  useEffect(() => followBrowser(store, isMembersOnly, isGuest), [store, isMembersOnly, isGuest]);
  useEffect(() => setRefusalHandler(() => leaveClosed(store)), [store]);
  useEffect(showTold, []);
  useEffect(() => {
    // The page that guests open next.
    const timer = setTimeout(() => lazyPages.channel.load().catch(() => {}), quietMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    keepFocus(stop.signal);
    keepTimes(stop.signal);
    return () => stop.abort();
  }, []);
  return null;
}

/** Shows the message for which the page was reloaded, only once. */
function showTold(): void {
  const { told } = entryState();
  if (!told) return;
  changeEntry({ told: undefined });
  showStatus(told);
}
