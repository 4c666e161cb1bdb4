import { type Page, pageOf } from '../../dom/match-page.ts';

/** The page at an address (path and query); NotFound if the server does not have it. */
export function currentPage(address: string, isMissing: boolean): Page {
  return isMissing ? { name: 'not-found' } : pageOf(address.split('?', 1)[0] ?? '');
}
