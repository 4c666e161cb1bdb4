import type { Site } from '../../shared/page-data.ts';
import { isFormPage } from '../../shared/pages.ts';
import type { AppState } from '../state/state.ts';
import { type Page, pageOf } from './match-page.ts';

type Substitute = 'members-only' | 'not-found' | '';

/**
 * The page that is shown in place of the one at an address (path and query), or '': NotFound if the server does not have
 * it; what guests see of a community of members if the server sent that, or once this document's person has signed out.
 */
export function substituteFor(
  address: string,
  { missingAddress, membersOnlyAddress, user, wasSignedIn }: AppState,
  { readers }: Site,
): Substitute {
  const hasLeft = wasSignedIn && readers === 'members' && !isFormPage(atAddress(address).name);
  if (!user.isLogged && (membersOnlyAddress === address || hasLeft)) return 'members-only';
  return missingAddress === address ? 'not-found' : '';
}

const atAddress = (address: string) => pageOf(address.split('?', 1)[0] ?? '');

export const currentPage = (address: string, substitute: Substitute): Page =>
  substitute ? { name: substitute } : atAddress(address);
