/**
 * What pages do only after hydration, for guests too: not named in their HTML.
 */
export { api } from './api/api.ts';
export { ChannelRail } from './channels/channel-rail.tsx';
export { fetchChannels, fetchMoreChannels } from './channels/fetch-channels.ts';
export { loadEarlier, loadLater, loadPlace } from './channels/load-comments.ts';
export { Target } from './channels/target.tsx';
export { LiveComments } from './comments/live-comments.tsx';
export * as timeWords from './components/time-words.ts';
export { fetchPerson, fetchPersonComments } from './people/fetch-person.ts';
export { PageWork } from './router/page-work.tsx';
export { loadMoreHits, loadSearch } from './search/load-search.ts';
export { reduce } from './state/reducer.ts';
