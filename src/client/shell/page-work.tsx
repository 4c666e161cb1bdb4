import { SearchWork } from '../search/search-work.ts';
import { SessionHandover } from '../session/session-handover.ts';
import { LinkPrefetch } from './link-prefetch.tsx';
import { MenuClosing } from './menu-closing.ts';
import { PageChange, type PageChangeProps } from './page-change.tsx';
import { RetryFocus } from './retry-focus.ts';

/** What every page does besides what it shows. */
export function PageWork(props: PageChangeProps) {
  return (
    <>
      <PageChange {...props} />
      <LinkPrefetch />
      <MenuClosing />
      <RetryFocus />
      <SessionHandover />
      <SearchWork page={props.page} />
    </>
  );
}
