import type { PoolCounts } from '../database/postgres/postgres-pool.ts';

export interface RequestMetrics {
  requests: {
    observe(labels: { method: string; route: string; status: number }, seconds: number): void;
  };
  httpConnections: { inc(): void; dec(): void };
  watchPool(pool: PoolCounts): void;
}

import type { App } from './app-type.ts';

/** Records response times by route pattern, and open connections. */
export function recordRequests(
  app: App,
  metrics: RequestMetrics,
  pool: PoolCounts | undefined,
): void {
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
