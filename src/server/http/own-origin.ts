import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { requireHost } from './request-host.ts';

const localNames = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an origin, such as `http://localhost:3000`, is of the computer that the browser runs on. */
export function isLocalOrigin(origin: string): boolean {
  return localNames.includes(URL.parse(origin)?.hostname ?? '');
}

/** The origins at which images of this site are served: without PUBLIC_URL at the Host, and at the bucket. */
export function imageOrigins(
  request: FastifyRequest,
  { publicUrl, s3 }: Pick<Config, 'publicUrl' | 's3'>,
): string[] {
  const host = requireHost(request);
  const own = publicUrl ? [publicUrl] : [`http://${host}`, `https://${host}`];
  return s3?.publicUrl ? [...own, new URL(s3.publicUrl).origin] : own;
}

/**
 * Whether the request comes from a page of this site. Browsers say so in `Sec-Fetch-Site`, older ones in
 * `Origin` only; a request with neither does not.
 * @param publicUrl origin of the site; without it, and on localhost, that of the Host
 */
export function isOwnOrigin(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined) return false;
  if (origin === publicUrl) return true;
  const ofHost = `http://${requireHost(request)}`;
  return origin === ofHost && (publicUrl === undefined || isLocalOrigin(ofHost));
}
