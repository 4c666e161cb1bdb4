/**
 * Exports the code that runs only after hydration, for guests too. The pages' HTML does not name this script.
 */
export { ChannelRail } from '../channels/channel-rail.tsx';
export { fetchChannels, fetchMoreChannels } from '../channels/fetch-channels.ts';
export { loadPlace } from '../channels/load-place.ts';
export { Target } from '../channels/target.tsx';
export { LiveComments } from '../comments/live-comments.tsx';
export { loadEarlier, loadLater } from '../comments/load-comments.ts';
export { fetchPerson, fetchPersonComments } from '../people/fetch-person.ts';
export { loadMoreHits, loadSearch } from '../search/load-search.ts';
export { endToken } from '../session/remembered-browser.ts';
export { PageWork } from '../shell/page-work.tsx';
export { reduce } from '../state/reducer.ts';
export * as timeWords from '../time/time-words.ts';
