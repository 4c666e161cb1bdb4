import { SearchWork } from '../search/search-work.ts';
import { MenuClosing } from '../shell/menu-closing.ts';
import { LinkPrefetch } from './link-prefetch.tsx';
import { PageChange, type PageChangeProps } from './page-change.tsx';

/** What every page does besides what it shows. */
export function PageWork(props: PageChangeProps) {
  return (
    <>
      <PageChange {...props} />
      <LinkPrefetch />
      <MenuClosing />
      <SearchWork page={props.page} />
    </>
  );
}
