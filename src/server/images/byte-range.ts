import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from './stores/image-store.ts';

/**
 * Parses the `Range` header of a request for an object (RFC 9110, section 14). Undefined means the
 * whole object: without a valid range, with several ranges, or when `If-Range` names another version.
 */
export function parseRange(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}
