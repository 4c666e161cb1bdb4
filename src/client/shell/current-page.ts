import { type Page, pageOf } from '../router/match-page.ts';
import type { AppState } from '../state/state.ts';

const pageAt = (address: string) => pageOf(address.split('?', 1)[0] ?? '');

/** Whether the server does not have the page at an address (path and query). */
export function isMissingPage(
  address: string,
  { missingChannels, missingAddress }: AppState,
): boolean {
  const page = pageAt(address);
  return page.name === 'channel' ? missingChannels.includes(page.id) : address === missingAddress;
}

/** The page at an address: NotFound for what the server does not have. */
export function currentPage(address: string, isMissing: boolean): Page {
  return isMissing ? { name: 'not-found' } : pageAt(address);
}
