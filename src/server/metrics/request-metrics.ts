import type { PoolCounts } from '../database/postgres/postgres-pool.ts';
import type { App } from '../http/app-type.ts';
import type { Metrics } from './metrics.ts';

/** Records response times by route pattern, and open connections. */
export function recordRequests(app: App, metrics: Metrics, pool: PoolCounts | undefined): void {
  if (pool) metrics.watchPool(pool);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.requests.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  app.server.on('connection', (socket) => {
    metrics.httpConnections.inc();
    socket.once('close', () => metrics.httpConnections.dec());
  });
}
