import { SessionHandover } from '../account/session-handover.ts';
import { SearchWork } from '../search/search-work.ts';
import { MenuClosing } from '../shell/menu-closing.ts';
import { RetryFocus } from '../shell/retry-focus.ts';
import { LinkPrefetch } from './link-prefetch.tsx';
import { PageChange, type PageChangeProps } from './page-change.tsx';

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
