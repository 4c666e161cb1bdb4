import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { pages } from '../../shared/pages.ts';
import { pageOf } from './match-page.ts';

/** The path while the server renders; undefined in the browser, which has `location`. */
export const ServerPath = createContext<string | undefined>(undefined);

export function usePath(): string {
  const ssrPath = useContext(ServerPath);
  return usePathname(ssrPath === undefined ? {} : { ssrPath });
}

/** The path and the query, of which the server renders none. */
export function usePlace(): string {
  return usePath() + useQuery();
}

/** The query of the address. It is always empty on the server, so the first render must not depend on it. */
export function useQuery(): string {
  const isServer = useContext(ServerPath) !== undefined;
  return useSearch(isServer ? { ssrSearch: '' } : {});
}

/** The cursor in the address after which a list begins, or null, as always on the server. */
export function useAfter(): string | null {
  return new URLSearchParams(useQuery()).get('after');
}

/** Where a history entry was opened from, for the way back after signing in. */
export interface CameFrom {
  href: string;
  /** As in the tab. */
  title: string;
}

/** Opens a page of the site at its top. A link to the current address adds no history entry. */
export function go(to: string, { replace = false } = {}): void {
  const { pathname, search, hash } = location;
  const isHere = to === pathname + search;
  // Between the forms that open a session, the page before the first of them counts.
  const isGuestForm = pages[pageOf(pathname).name].needsSignIn === false;
  const cameFrom: CameFrom = { href: pathname + search + hash, title: document.title };
  const state = isHere || isGuestForm ? history.state : { cameFrom };
  navigate(to, { replace: isHere || replace, state });
  scrollTo(0, 0);
}

/** Whether a click on a link opens it in this tab, rather than in another one or as a download. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link within the site. */
export function Link({ href, onClick, ...anchor }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go(href);
  };
  return <a {...anchor} href={href} onClick={follow} />;
}
