import type { AppState, ChannelState } from '../state/state.ts';
import { type Page, pageOf } from './match-page.ts';

/** What to show at an address: an unknown channel is no page. */
export function currentPage(path: string, state: AppState): Page {
  const page = pageOf(path);
  const isMissing = page.name === 'channel' && state.missingChannels.includes(page.id);
  return isMissing ? { name: 'not-found' } : page;
}

/** The channel that a page is about, if it is known. */
export function findChannel(page: Page, { channels }: AppState): ChannelState | undefined {
  if (page.name !== 'channel') return undefined;
  return channels.find(({ _id }) => _id === page.id);
}
