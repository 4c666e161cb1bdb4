/**
 * Whether an `If-None-Match` header names this entity tag, compared weakly (RFC 9110, 13.1.2).
 * Takes time proportional to the header's length.
 * @param etag strong, with its quotes
 */
export function namesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === '*') return true;
  for (const [tag] of header.matchAll(/"[^"]*"/g)) {
    if (tag === etag) return true;
  }
  return false;
}

/**
 * Whether an `If-Match` header names this entity tag, compared strongly (RFC 9110, 13.1.1): a weak tag
 * never matches. Takes time proportional to the header's length.
 * @param etag strong, with its quotes
 */
export function matchesEntityTag(header: string, etag: string): boolean {
  for (const [tag] of header.matchAll(/(?:W\/)?"[^"]*"/g)) {
    if (tag === etag) return true;
  }
  return false;
}
