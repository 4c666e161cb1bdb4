import { SearchWork } from '../search/search-work.ts';
import { LinkPrefetch } from './link-prefetch.tsx';
import { PageChange, type PageChangeProps } from './page-change.tsx';

/** What every page does besides what it shows. */
export function PageWork(props: PageChangeProps) {
  return (
    <>
      <PageChange {...props} />
      <LinkPrefetch />
      <SearchWork page={props.page} />
    </>
  );
}
