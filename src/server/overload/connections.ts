import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { hasBody, lingerAfterEarlyAnswers } from '../http/lingering-close.ts';
import { addressKey } from '../limits/address-key.ts';
import { ConcurrencyLimit } from './concurrency-limits.ts';
import { limitLargeBodies } from './large-bodies.ts';
import { startInTurn } from './start-in-turn.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body can take minutes while it makes progress; on other routes it must be short. */
    longBody?: boolean;
  }
}

/** Limits of each process. An idle connection takes about 10 kB. */
const maxConnections = { total: 12_000, perAddress: 3000 };
/** Pipelined requests that can wait on one connection; browsers and proxies send none. */
const maxPipelined = 100;
/** Time limit for headers and short bodies. */
const requestTimeoutMs = 8000;
/** Bytes of a long body that must arrive within `requestTimeoutMs`; the slowest phone sends far more. */
const minBodyBytes = 4096;
/** Time without progress of an unread response. Node checks once more after it, so it can take twice this. */
const unreadTimeoutMs = 6000;

/** Server options. An interrupted upload can be resumed, so even a steady long body has a limit. */
export const connectionTimeouts = {
  connectionTimeout: unreadTimeoutMs,
  requestTimeout: 30 * 60_000,
  http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: 1000 },
};

/**
 * Limits what connections can hold: their number, pipelined requests, slow and large bodies and unread
 * responses. Register it before all other hooks.
 */
export function limitConnections(
  app: FastifyInstance,
  { trustProxy }: Pick<Config, 'trustProxy'>,
): void {
  app.server.maxConnections = maxConnections.total;
  // Behind a proxy all connections come from its address, so the proxy has to limit its clients.
  if (trustProxy === 0) limitConnectionsPerAddress(app);
  ignoreUnknownExpectations(app);
  serializePipelinedRequests(app);
  spreadOverTurns(app);
  dropSlowConnections(app);
  limitLargeBodies(app);
  lingerAfterEarlyAnswers(app);
}

/** Node would answer 417 itself, without any hook, and then read the body without bounds. */
function ignoreUnknownExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function limitConnectionsPerAddress({ server }: FastifyInstance): void {
  const perKey = maxConnections.perAddress;
  const limit = new ConcurrencyLimit({ perKey, detail: '', retryAfterSeconds: 1 });
  server.on('connection', (socket) => {
    try {
      socket.once('close', limit.acquire(addressKey(socket.remoteAddress)));
    } catch {
      socket.destroy();
    }
  });
}

/**
 * Starts a pipelined request only after all earlier responses are sent. Node would start all at once, and
 * would not emit `close` on waiting responses when the connection ends, so their resources would leak.
 */
function serializePipelinedRequests(app: FastifyInstance): void {
  const waitingBySocket = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // Only the next response to be sent has a socket. Nothing can be sent after the last one.
    if (response.socket && socket.writable) return done();
    const waiting = (waitingBySocket.get(socket) ?? 0) + 1;
    if (waiting > maxPipelined) {
      socket.destroy();
      return;
    }
    waitingBySocket.set(socket, waiting);
    response.once('socket', () => {
      waitingBySocket.set(socket, (waitingBySocket.get(socket) ?? 1) - 1);
      // Node emits the event before it has finished assigning the socket.
      process.nextTick(done);
    });
  });
}

/** Spreads requests over turns of the event loop. Each connection has at most one request here. */
function spreadOverTurns(app: FastifyInstance): void {
  app.addHook('onRequest', ({ ip, raw: { socket } }, _reply, done) => {
    startInTurn(addressKey(ip), () => {
      if (!socket.destroyed) done();
    });
  });
}

function dropSlowConnections(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, routeOptions } = request;
    reply.raw.on('timeout', dropUnread);
    if (hasBody(request)) {
      watchBody(raw, routeOptions.config.longBody ? minBodyBytes : Number.POSITIVE_INFINITY);
    }
  });
}

/** Destroys a connection without progress if a response is unread, not if it is still being made. */
function dropUnread(this: Pick<Socket, 'writableLength' | 'destroy'>): void {
  if (this.writableLength > 0) this.destroy();
}

function watchBody(body: IncomingMessage, minBytes: number): void {
  const { socket } = body;
  let seenBytes = socket.bytesRead;
  const timer = setInterval(() => {
    if (body.complete || socket.destroyed) return clearInterval(timer);
    const arrivedBytes = socket.bytesRead - seenBytes;
    seenBytes = socket.bytesRead;
    // A paused body waits for this server, such as for an upload slot or the disk.
    if (body.readableFlowing && arrivedBytes < minBytes) socket.destroy();
  }, requestTimeoutMs);
  timer.unref();
}
