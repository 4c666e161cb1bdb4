import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { addressKey } from './address-key.ts';
import { ConcurrencyLimit } from './concurrency-limits.ts';

/** Of each process. An idle connection takes some 10 kB. */
const connections = { total: 12_000, perAddress: 3000 };

/**
 * Bounds how many connections are open, in total and for each address; further ones are closed at
 * once. Behind a proxy all of them are the proxy's, which has to bound them for each address.
 */
export function boundConnections(app: FastifyInstance, { trustProxy }: Config): void {
  const { server } = app;
  server.maxConnections = connections.total;
  if (trustProxy > 0) return;
  const limit = new ConcurrencyLimit({
    perKey: connections.perAddress,
    total: connections.total,
    detail: '',
    retryAfterSeconds: 1,
  });
  server.on('connection', (socket) => {
    try {
      socket.once('close', limit.acquire(addressKey(socket.remoteAddress ?? '')));
    } catch {
      socket.destroy();
    }
  });
}
