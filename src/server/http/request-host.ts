import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns the request's host, normalized as in URLs, with its port unless 80. Ignores proxy headers.
 * @throws ApiError `invalid_request` unless there is exactly one valid Host
 */
export function requireHost({ raw }: FastifyRequest): string {
  const [given = '', ...more] = raw.headersDistinct.host ?? [];
  const url = more.length === 0 && hostPattern.test(given) && URL.parse(`http://${given}`);
  if (!url) throw new ApiError('invalid_request');
  return url.host;
}
