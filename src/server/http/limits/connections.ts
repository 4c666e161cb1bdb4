import type { FastifyInstance } from 'fastify';
import type { Config } from '../../system/settings/config.ts';
import { addressKey } from './concurrency.ts';
import { openCounts } from './open-counts.ts';

/** Open connections of one process; an idle one takes about 10 kB. An address may have 500 live streams and other requests. */
const maxConnections = { total: 12_000, perAddress: 600 };

/** Server options. Interrupted uploads can be resumed, so even an upload that makes steady progress has a time limit. */
export const connectionTimeouts = {
  /** Time without any progress, for example when a response is not read. Longer than the pauses of a live stream. */
  connectionTimeout: 60_000,
  requestTimeout: 30 * 60_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
};

export function limitConnections(
  app: FastifyInstance,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): void {
  app.server.maxConnections = maxConnections.total;
  // Behind a proxy all connections come from its address, so the proxy has to limit its clients.
  if (trustProxy === 0) limitConnectionsPerAddress(app);
}

function limitConnectionsPerAddress({ server }: FastifyInstance): void {
  const perKey = maxConnections.perAddress;
  const count = openCounts({ perKey, detail: '', retryAfterSeconds: 1 });
  server.on('connection', (socket) => {
    try {
      socket.once('close', count(addressKey(socket.remoteAddress)));
    } catch {
      socket.destroy();
    }
  });
}
