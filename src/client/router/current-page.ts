import type { AppState, ChannelState } from '../state/state.ts';
import { type Page, pageOf } from './match-page.ts';

/** The page at a path: NotFound for a channel that the server does not have. */
export function currentPage(path: string, missingChannels: string[]): Page {
  const page = pageOf(path);
  const isMissing = page.name === 'channel' && missingChannels.includes(page.id);
  return isMissing ? { name: 'not-found' } : page;
}

/** The channel that a page is about, if it is known. */
export function findChannel(page: Page, { channels }: AppState): ChannelState | undefined {
  return page.name === 'channel' ? channels.get(page.id) : undefined;
}
