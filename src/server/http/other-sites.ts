import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { ApiError } from './api-error.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses requests of pages of other sites, except reads and sites in CORS_ORIGINS. Such a request cannot
 * sign anybody in, but would count as a visitor's wrong password, for rate limits and for fail2ban.
 * @throws ApiError `other_origin`
 */
export function refuseOtherSites(
  app: FastifyInstance,
  { corsOrigins }: Pick<Config, 'corsOrigins'>,
): void {
  app.addHook('onRequest', async ({ method, headers }) => {
    const { origin = '', 'sec-fetch-site': site = '' } = headers;
    if (reading.includes(method) || !['cross-site', 'same-site'].includes(String(site))) return;
    if (!corsOrigins.includes(origin)) throw new ApiError('other_origin');
  });
}
