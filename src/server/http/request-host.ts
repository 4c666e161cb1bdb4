import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';

/** A name or an IPv4 address, or an IPv6 address in brackets; and a port. */
const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Load balancers check these with HTTP/1.0, which has no Host. */
const healthChecks = ['/healthz', '/readyz'];

/**
 * The host that the client asks for, as URLs spell it, with its port when that is not 80. Headers
 * of proxies are not read.
 * @throws ApiError `invalid_request` when there is none, more than one, or an invalid one
 */
export function requireHost({ raw }: FastifyRequest): string {
  const [given = '', ...more] = raw.headersDistinct.host ?? [];
  const url = more.length === 0 && hostPattern.test(given) && URL.parse(`http://${given}`);
  if (!url) throw new ApiError('invalid_request');
  return url.host;
}

/** Refuses requests without a valid Host, as RFC 9112 (3.2) demands. */
export function refuseInvalidHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw, routeOptions } = request;
    const mayLackHost = raw.httpVersion === '1.0' && healthChecks.includes(routeOptions.url ?? '');
    if (!(mayLackHost && raw.headersDistinct.host === undefined)) requireHost(request);
  });
}
