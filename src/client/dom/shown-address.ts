/** The site's internationalized host name, which `location` has encoded; undefined for an ASCII name. */
const ownHost = () => document.documentElement.dataset.host;

/** The site's host name in readable form. */
export const shownHost = (): string => ownHost() ?? location.host;

/** An address of this site in readable form. */
export function shownAddress(href: string): string {
  const url = new URL(href, location.origin);
  return url.href.replace(url.host, ownHost() ?? url.host);
}
