import type { Channel } from '../../shared/channels.ts';
import type { Person } from '../../shared/people.ts';
import type { AppState } from '../state/state.ts';
import { type Page, pageOf } from './match-page.ts';

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

/** The channel or the person that a page is about, if it is known. */
export function findSubject(
  page: Page,
  { channels, people }: AppState,
): Channel | Person | undefined {
  if (page.name === 'channel') return channels.get(page.id);
  return page.name === 'user' ? people.get(page.id)?.person : undefined;
}
