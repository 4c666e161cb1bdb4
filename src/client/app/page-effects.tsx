import { useEffect } from 'react';
import { changeEntry, entryState } from '../dom/entry-state.ts';
import { SearchShortcuts } from '../pages/search/search-shortcuts.ts';
import { followPageCache } from '../session/reload-page.ts';
import { useStore } from '../state/store-provider.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import { addFullTimes } from '../ui/time/add-full-times.ts';
import { keepFocus } from './keep-focus.ts';
import { PageChange, type PageChangeProps } from './page-change.tsx';
import { LinkPrefetch } from './router/link-prefetch.tsx';

/** Effects of every page, such as its title, focus and keyboard shortcuts. Renders nothing. */
export function PageEffects(props: PageChangeProps) {
  const store = useStore();
  useEffect(() => followPageCache(store), [store]);
  useEffect(showTold, []);
  useEffect(() => {
    const stop = new AbortController();
    keepFocus(stop.signal);
    addEventListener('beforeprint', addFullTimes, stop);
    return () => stop.abort();
  }, []);
  return (
    <>
      <PageChange {...props} />
      <LinkPrefetch />
      <SearchShortcuts page={props.page} />
    </>
  );
}

/** Shows once the message that the page was reloaded for. */
function showTold(): void {
  const { told } = entryState();
  if (!told) return;
  changeEntry({ told: undefined });
  showStatus(told);
}
