/**
 * Whether an `If-None-Match` header names this entity tag, compared weakly (RFC 9110, 13.1.2).
 * Takes time proportional to the header's length.
 * @param etag strong, with its quotes
 */
export function namesEntityTag(header: string | undefined, etag: string): boolean {
  if (header === '*') return true;
  return (header ?? '').matchAll(/"[^"]*"/g).some(([tag]) => tag === etag);
}

/**
 * Whether an `If-Match` header names this entity tag, compared strongly (RFC 9110, 13.1.1): a weak tag
 * never matches. Takes time proportional to the header's length.
 * @param etag strong, with its quotes
 */
export function matchesEntityTag(header: string, etag: string): boolean {
  return header.matchAll(/(?:W\/)?"[^"]*"/g).some(([tag]) => tag === etag);
}
