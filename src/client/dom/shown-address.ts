/** The site's host where it is beyond ASCII, in its own letters: `location` has it encoded. */
const ownHost = () => document.documentElement.dataset.host;

/** The site's host as people read it. */
export const shownHost = (): string => ownHost() ?? location.host;

/** An address of this site as people read it. */
export function shownAddress(href: string): string {
  const url = new URL(href, location.origin);
  return url.href.replace(url.host, ownHost() ?? url.host);
}
