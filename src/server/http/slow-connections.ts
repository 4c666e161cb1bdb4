import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body may take minutes on this route while it makes progress; elsewhere it has to be short. */
    longBody?: boolean;
  }
}

/** How long headers and short bodies may take. */
const patienceMs = 8000;
/** How long an answer may lie unread. Node looks once more after that, so it is up to twice as long. */
const unreadMs = 6000;
/** What of a long body has to come in that time: far less than the slowest phone sends. */
const leastBytes = 4096;

/** Settings of the server. A long body may be resumed, so even a steady one ends some time. */
export const slowConnectionOptions = {
  connectionTimeout: unreadMs,
  requestTimeout: 30 * 60_000,
  http: {
    headersTimeout: patienceMs,
    connectionsCheckingInterval: 1000,
  },
};

/** Closes connections whose client sends a body too slowly or does not read the response. */
export function dropSlowConnections(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw, headers, routeOptions }, reply) => {
    reply.raw.on('timeout', dropUnread);
    if (Number(headers['content-length']) > 0 || headers['transfer-encoding'] !== undefined) {
      watchBody(raw, routeOptions.config.longBody ? leastBytes : Number.POSITIVE_INFINITY);
    }
  });
}

/** Told when nothing moved for a while: an answer lies unread, or is still being made. */
function dropUnread(this: Pick<Socket, 'writableLength' | 'destroy'>): void {
  if (this.writableLength > 0) this.destroy();
}

function watchBody(body: IncomingMessage, least: number): void {
  const { socket } = body;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (body.complete || socket.destroyed) return clearInterval(timer);
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // A paused body waits for this server: for an upload slot, or for the disk.
    if (body.readableFlowing && arrived < least) socket.destroy();
  }, patienceMs);
  timer.unref();
}
