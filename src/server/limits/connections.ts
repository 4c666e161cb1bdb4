import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { addressKey } from './addresses.ts';
import { openCounts } from './open-counts.ts';

/** Open connections of one process. An idle one takes about 10 kB. */
const maxConnections = { total: 12_000, perAddress: 200 };
/** Time for a whole body from the end of its headers; uploads may take `requestTimeout`. A test shortens it. */
export const body = { ms: 20_000 };

/** Server options. An interrupted upload can be resumed, so even a steady one has a limit. */
export const connectionTimeouts = {
  /** Without any progress, such as an answer that is not read: longer than the pauses of a live stream. */
  connectionTimeout: 60_000,
  requestTimeout: 30 * 60_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
};

/** Limits the number of connections, and how long each may take for a body. */
export function limitConnections(
  app: FastifyInstance,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): void {
  app.server.maxConnections = maxConnections.total;
  // Behind a proxy all connections come from its address, so the proxy has to limit its clients.
  if (trustProxy === 0) limitConnectionsPerAddress(app);
  dropSlowBodies(app);
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

function dropSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers, routeOptions }, _reply, done) => {
    const hasBody = headers['transfer-encoding'] || Number(headers['content-length']) > 0;
    if (!hasBody || routeOptions.config.moves === 'upload') return done();
    const timer = setTimeout(() => {
      if (!raw.complete) raw.socket.destroy();
    }, body.ms).unref();
    raw.once('close', () => clearTimeout(timer));
    done();
  });
}
