import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react';
import { navigate, useLocationProperty, usePathname, useSearch } from 'wouter/use-browser-location';
import { changeEntry, entryState } from './entry-state.ts';

/** The path during server rendering; undefined in the browser, which reads `location`. */
export const ServerPath = createContext<string | undefined>(undefined);

/** The query string that the server rendered the page for; undefined where it renders from the path alone. */
export const ServedSearch = createContext<string | undefined>(undefined);

export function usePath(): string {
  const ssrPath = useContext(ServerPath);
  return usePathname(ssrPath === undefined ? {} : { ssrPath });
}

export function useAddress(): string {
  return usePath() + useQueryString();
}

/**
 * The query string of the address. On pages without a `ServedSearch` the first render must not depend on it: it is
 * empty on the server.
 */
export function useQueryString(): string {
  const isServer = useContext(ServerPath) !== undefined;
  const served = useContext(ServedSearch) ?? (isServer ? '' : undefined);
  return useSearch(served === undefined ? {} : { ssrSearch: served });
}

/** The cursor in the address at which a list begins, or null. */
export function useAfter(): string | null {
  return new URLSearchParams(useQueryString()).get('after');
}

/** The fragment of the address without `#`; empty on the server. */
export function useFragment(): string {
  return useLocationProperty(
    () => location.hash.slice(1),
    () => '',
  );
}

/**
 * The key in the fragment of a link, which a path may follow. The key is without percent-encoded characters: keys contain
 * none, but invisible characters may have been pasted with them.
 */
export function useFragmentKey(): string {
  return useFragment().replace(/^[^/]+/, (key) => key.replace(/%[\da-f]{2}/gi, ''));
}

/**
 * Scrolls to the target of a followed link, focuses it, and clears `isFragmentPending`. A reply that has begun in it keeps
 * the focus.
 */
export function showFragment(element: HTMLElement): void {
  changeEntry({ isFragmentPending: false });
  if (element.contains(document.activeElement)) return;
  element.focus({ preventScroll: true });
  element.scrollIntoView();
}

interface GoOptions {
  replace?: boolean;
  hasWayBack?: boolean;
}

/**
 * Opens a page of the site at its top or, with a fragment, at that element: the page calls `showFragment` once it is
 * rendered. A link to the current address adds no history entry.
 * @param options `hasWayBack` makes the current address its `wayBack`
 */
export function go(to: string, options: GoOptions = {}): void {
  const { replace = false, hasWayBack = false } = options;
  const href = location.pathname + location.search + location.hash;
  const { pathname, hash } = new URL(to, location.href);
  const isHere = to === href;
  const isSamePage = pathname === location.pathname;
  const opened = {
    ...(hasWayBack && { wayBack: href }),
  };
  const state = {
    ...(isHere ? { ...entryState(), typed: undefined } : opened),
    ...(hash && { isFragmentPending: true }),
  };
  navigate(to, { replace: isHere || replace, state });
  if (!hash || !isSamePage) scrollTo(0, 0);
}

/** Whether a click on a link opens it in this tab, rather than in another tab or as a download. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

interface LinkProps extends ComponentProps<'a'> {
  href: string;
}

/** A link within the site. */
export function Link({ href, onClick, ...anchor }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    go(href);
  };
  return <a {...anchor} href={href} onClick={follow} />;
}
