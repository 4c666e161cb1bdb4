import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { leaveEntry } from './scroll-memory.ts';
import { usePrefetch } from './use-prefetch.ts';

/**
 * The router is wouter's: its hooks and its history. Pages are matched exactly, in pages.ts, so
 * its patterns are not needed, nor the script for them.
 */

/** The path while the server renders; the browser knows it by itself. */
export const ServerPath = createContext<string | undefined>(undefined);

export function usePath(): string {
  const ssrPath = useContext(ServerPath);
  return usePathname(ssrPath === undefined ? {} : { ssrPath });
}

/**
 * The cursor at which a list begins; null at its beginning. The server does not tell it while it
 * renders, so it must not change what is rendered first.
 */
export function useAfter(): string | null {
  const isServer = useContext(ServerPath) !== undefined;
  return new URLSearchParams(useSearch(isServer ? { ssrSearch: '' } : {})).get('after');
}

export function go(to: string, options: { replace?: boolean } = {}): void {
  // A link to where one already is goes to its top, and makes no second history entry.
  const isHere = to === location.pathname + location.search;
  leaveEntry();
  navigate(to, { replace: isHere || (options.replace ?? false) });
  if (isHere) scrollTo(0, 0);
}

/** Whether a click on a link asks for this tab, and not for another one or a download. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link within the site. */
export function Link({ href, onClick, ...anchor }: LinkProps) {
  const fetchAhead = usePrefetch(href);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go(href);
  };
  return <a {...anchor} {...fetchAhead} href={href} onClick={follow} />;
}
