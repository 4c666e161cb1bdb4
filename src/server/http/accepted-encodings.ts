import type { FastifyInstance } from 'fastify';

/**
 * Compresses nothing for a client that accepts `*`: accept-negotiator would send an encoding that is refused beside
 * it, as in `br;q=0, *`.
 */
export function ignoreWildcardEncodings(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (headers['accept-encoding']?.includes('*')) delete headers['accept-encoding'];
  });
}
