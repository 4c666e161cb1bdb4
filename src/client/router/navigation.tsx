import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';

/** The path while the server renders; undefined in the browser, which has `location`. */
export const ServerPath = createContext<string | undefined>(undefined);

export function usePath(): string {
  const ssrPath = useContext(ServerPath);
  return usePathname(ssrPath === undefined ? {} : { ssrPath });
}

/**
 * The cursor in the address after which a list begins, or null. It is always null on the server, so
 * the first render must not depend on it.
 */
export function useAfter(): string | null {
  const isServer = useContext(ServerPath) !== undefined;
  return new URLSearchParams(useSearch(isServer ? { ssrSearch: '' } : {})).get('after');
}

/** Opens a page of the site at its top. A link to the current address adds no history entry. */
export function go(to: string, { replace = false } = {}): void {
  const isHere = to === location.pathname + location.search;
  navigate(to, { replace: isHere || replace });
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
