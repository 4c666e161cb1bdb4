import type { AppState, ChannelState } from '../state/state.ts';
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

/** The channel that a page is about, if it is known. */
export function findChannel(page: Page, { channels }: AppState): ChannelState | undefined {
  return page.name === 'channel' ? channels.get(page.id) : undefined;
}
