/**
 * What pages do only after hydration, for guests too: not named in their HTML.
 */
export { LiveComments } from './comments/live-comments.tsx';
export { LinkPrefetch } from './router/link-prefetch.tsx';
export { reduce } from './state/reducer.ts';
