import { pageRoutes } from '../../shared/routes.ts';

/** Which page an address shows. */
export type Page =
  | { name: 'home' | 'login' | 'register' | 'create' | 'profile' | 'password' | 'not-found' }
  | { name: 'channel'; id: string };

const fixedPages = ['home', 'login', 'register', 'create', 'profile', 'password'] as const;
const channelPath = /^\/channel\/([^/]+)$/;

/** Routes match exactly: '/login/' and '/Login' are no page of this site. */
export function pageOf(path: string): Page {
  const fixed = fixedPages.find((name) => pageRoutes[name] === path);
  if (fixed) return { name: fixed };
  const encodedId = channelPath.exec(path)?.[1];
  if (encodedId === undefined) return { name: 'not-found' };
  try {
    return { name: 'channel', id: decodeURIComponent(encodedId) };
  } catch {
    return { name: 'not-found' };
  }
}
