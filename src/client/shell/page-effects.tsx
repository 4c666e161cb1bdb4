import { useEffect } from 'react';
import { returnFocus } from '../components/return-focus.ts';
import { SearchShortcuts } from '../search/search-shortcuts.ts';
import { followHandovers } from '../session/tabs.ts';
import { useStore } from '../state/store-provider.tsx';
import { addFullTimes } from '../time/add-full-times.ts';
import { LinkPrefetch } from './link-prefetch.tsx';
import { PageChange, type PageChangeProps } from './page-change.tsx';

/** The effects of every page, such as its title, the focus and keys. Renders nothing. */
export function PageEffects(props: PageChangeProps) {
  const store = useStore();
  useEffect(() => followHandovers(store), [store]);
  useEffect(() => {
    const stop = new AbortController();
    returnFocus(stop.signal);
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
