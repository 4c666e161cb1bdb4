import { entryState } from './entry-state.ts';
import { isWayIn, pageOf } from './match-page.ts';

/**
 * Whether an address leads to a page of this site that is open after signing in. Anybody can write a link with `?next=`,
 * and browsers read `//`, `\` and control characters in paths as another site.
 */
export function isOwnPage(address: string): boolean {
  if (!address.startsWith('/') || /\/\/|[\\\p{Cc}]/u.test(address)) return false;
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return pageOf(path).name !== 'not-found' && !isWayIn(path);
}

/**
 * The page to open after signing in: on a page that leads to a session, the one in its address or, after a redirect, in
 * its history entry; on others the present page. Null for the home page.
 */
export function nextPage(): string | null {
  const { pathname, search, hash } = location;
  const next = isWayIn(pathname)
    ? (new URLSearchParams(search).get('next') ?? entryState().next)
    : pathname + search + hash;
  return next && next !== '/' && isOwnPage(next) ? next : null;
}

/** The address of a page that leads to a session, and from there to the next page. */
export function withNext(path: string, next: string | null = nextPage()): string {
  return next === null ? path : `${path}?${new URLSearchParams({ next })}`;
}
