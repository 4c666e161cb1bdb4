import { type Page, pageOf } from '../router/match-page.ts';
import type { AppState } from '../state/state.ts';

/** The page at a place (path and query): NotFound for what the server does not have. */
export function currentPage(
  place: string,
  { missingChannels, missingPlace }: Pick<AppState, 'missingChannels' | 'missingPlace'>,
): Page {
  const page = pageOf(place.split('?', 1)[0] ?? '');
  const isMissing =
    page.name === 'channel' ? missingChannels.includes(page.id) : place === missingPlace;
  return isMissing ? { name: 'not-found' } : page;
}
