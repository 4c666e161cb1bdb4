import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { ApiError } from './api-error.ts';

const reading = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what pages of other sites make browsers send, except reading and except sites of CORS_ORIGINS.
 * It could sign nobody in, but would count as the visitor's wrong passwords: against the limits of the
 * address, and for fail2ban.
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
