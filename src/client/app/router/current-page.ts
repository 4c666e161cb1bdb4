import { type Page, pageOf } from '../../dom/match-page.ts';
import type { AppState } from '../../state/state.ts';

/**
 * The page at an address (path and query): NotFound if the server does not have it; what guests see of a community of
 * members if the server sent that.
 */
export function currentPage(
  address: string,
  {
    missingAddress,
    closedAddress,
    user,
  }: Pick<AppState, 'missingAddress' | 'closedAddress' | 'user'>,
): Page {
  if (closedAddress === address && !user.isLogged) return { name: 'members-only' };
  return missingAddress === address
    ? { name: 'not-found' }
    : pageOf(address.split('?', 1)[0] ?? '');
}
