import { domainToUnicode } from 'node:url';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../system/settings/config.ts';
import { ApiError } from './api-error.ts';

/** A host name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an origin, such as `http://localhost:3000`, is on the computer that the browser runs on. */
export function isLocalOrigin(origin: string): boolean {
  return localNames.includes(URL.parse(origin)?.hostname ?? '');
}

/** Returns the origins that serve this site's images: PUBLIC_URL, or else those of the Host. */
export function imageOrigins(
  request: FastifyRequest,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string[] {
  const host = requireHost(request);
  return publicUrl ? [publicUrl] : [`http://${host}`, `https://${host}`];
}

/**
 * Whether the request comes from a page of this site, by `Sec-Fetch-Site` or, in older browsers, `Origin`.
 * False for a request with neither header.
 * @param publicUrl origin of the site; without it, and on localhost, the Host is used
 */
export function isSiteOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return false;
  if (origin === publicUrl) return true;
  const ofHost = `http://${requireHost(request)}`;
  return origin === ofHost && (publicUrl === undefined || isLocalOrigin(ofHost));
}

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

/** The host of a URL as people read it: with internationalized domains such as `foro-niñez.example` decoded. */
export function shownHost(address: string): string {
  const { host, hostname } = new URL(address);
  return host.replace(hostname, domainToUnicode(hostname) || hostname);
}

/** A URL, in the spelling of `URL`, with its host replaced by `shownHost`. */
export const shownAddress = (address: string): string =>
  address.replace(new URL(address).host, shownHost(address));
