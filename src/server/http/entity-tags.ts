/**
 * Whether a header names this entity tag, in time proportional to its length (RFC 9110, 8.8.3.2). `If-None-Match` compares
 * weakly; `If-Match` compares strongly, so that a weak tag never matches.
 * @param etag strong, with its quotes
 */
export function namesEntityTag(
  header: string | undefined,
  etag: string,
  comparison: 'weak' | 'strong' = 'weak',
): boolean {
  if (header === '*') return true;
  return (header ?? '')
    .matchAll(/(?:W\/)?("[^"]*")/g)
    .some(([written, tag]) => (comparison === 'weak' ? tag : written) === etag);
}
