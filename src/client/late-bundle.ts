/**
 * What pages do only after hydration, for guests too: loaded then, and not named in their HTML. Pages
 * work without it.
 */
export { LinkPrefetch } from './router/link-prefetch.tsx';
