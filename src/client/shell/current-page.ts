import { type Page, pageOf } from '../router/match-page.ts';
import type { AppState } from '../state/state.ts';

/** The page at an address (path and query): NotFound for what the server does not have. */
export function currentPage(
  address: string,
  { missingChannels, missingAddress }: Pick<AppState, 'missingChannels' | 'missingAddress'>,
): Page {
  const page = pageOf(address.split('?', 1)[0] ?? '');
  const isMissing =
    page.name === 'channel' ? missingChannels.includes(page.id) : address === missingAddress;
  return isMissing ? { name: 'not-found' } : page;
}
