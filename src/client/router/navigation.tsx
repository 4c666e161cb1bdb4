import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react';
import { navigate, useLocationProperty, usePathname, useSearch } from 'wouter/use-browser-location';
import { isForGuests } from './match-page.ts';

/** The path while the server renders; undefined in the browser, which has `location`. */
export const ServerPath = createContext<string | undefined>(undefined);

export function usePath(): string {
  const ssrPath = useContext(ServerPath);
  return usePathname(ssrPath === undefined ? {} : { ssrPath });
}

/** The path and the query, of which the server renders none. */
export function useAddress(): string {
  return usePath() + useQuery();
}

/** The query of the address. The first render must not depend on it: on the server it is always empty. */
export function useQuery(): string {
  const isServer = useContext(ServerPath) !== undefined;
  return useSearch(isServer ? { ssrSearch: '' } : {});
}

/** The cursor in the address after which a list begins, or null, as always on the server. */
export function useAfter(): string | null {
  return new URLSearchParams(useQuery()).get('after');
}

/** The page from which a history entry was opened, for the link back after signing in. */
interface CameFrom {
  href: string;
  /** The document's title. */
  title: string;
}

/** The fragment of the address without `#`; empty on the server. */
export function useFragment(): string {
  return useLocationProperty(
    () => location.hash.slice(1),
    () => '',
  );
}

/** Whether a link to the fragment of the address was followed and its element is still to be shown. */
export function useIsFragmentPending(): boolean {
  return useLocationProperty(
    () => Boolean(history.state?.isFragmentPending),
    () => false,
  );
}

/** Scrolls to the element that a followed link leads to, moves the focus there, and ends `useIsFragmentPending`. */
export function showFragment(element: HTMLElement): void {
  const { isFragmentPending: _isFragmentPending, ...state } = history.state ?? {};
  history.replaceState(state, '');
  element.focus({ preventScroll: true });
  element.scrollIntoView();
}

/**
 * Opens a page of the site at its top or, with a fragment, at that element: the page calls `showFragment`
 * once it has it. A link to the current address adds no history entry.
 * @param options `hasWayBack` makes `useWayBack` return the present address there
 */
export function go(to: string, { replace = false, hasWayBack = false } = {}): void {
  const href = location.pathname + location.search + location.hash;
  const { pathname, hash } = new URL(to, location.href);
  const isHere = to === href;
  const isSamePage = pathname === location.pathname;
  // Between the forms that open a session, the page before the first of them counts.
  const cameFrom: CameFrom = { href, title: document.title };
  const opened = {
    cameFrom: isForGuests(location.pathname) ? history.state?.cameFrom : cameFrom,
    ...(hasWayBack && { wayBack: href }),
  };
  const state = {
    ...(isHere ? history.state : opened),
    ...(hash && { isFragmentPending: true }),
  };
  navigate(to, { replace: isHere || replace, state });
  if (!hash || !isSamePage) scrollTo(0, 0);
}

/** The address to which the page shows a link back, or an empty text. */
export function useWayBack(): string {
  return useLocationProperty<string>(
    () => history.state?.wayBack ?? '',
    () => '',
  );
}

/** Whether a click on a link opens it in this tab, rather than in another one or as a download. */
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
    if (!isPlainClick(event)) return;
    event.preventDefault();
    go(href);
  };
  return <a {...anchor} href={href} onClick={follow} />;
}
