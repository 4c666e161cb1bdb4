import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Config } from '../../system/settings/config.ts';
import { ApiError } from '../api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Set by routes that send a file, receive an upload, open a stream or answer a health check. The first three have
     * separate limits; health checks have none, so that a proxy does not take a slow site for one that is down.
     */
    moves?: 'file' | 'upload' | 'stream' | 'health';
  }
  interface FastifyRequest {
    /** The client's `addressKey`; empty until `takeTurn`. */
    addressKey: string;
    /**
     * Waits until a response to the client's address may be made. A hook that queries before the body has arrived
     * calls it first; for all others it is called once the body has arrived.
     * @throws ApiError `too_many_requests` when too many of the address wait
     */
    takeTurn: (reply: FastifyReply) => Promise<void>;
    /** Called when a stream is open, which is no longer limited here. */
    endTurn: () => void;
  }
}

/** Limits per address. A home page requests about forty files, and many people can share an address. */
const bounds = {
  answer: { atOnce: 8, waiting: 64 },
  file: { atOnce: 64, waiting: 512 },
  // Each upload buffers up to 2 MB on its way to the disk.
  upload: { atOnce: 8, waiting: 64 },
  // All readers of a school open theirs again after a restart.
  stream: { atOnce: 8, waiting: 500 },
};

/**
 * Limits the number of concurrent responses, file downloads, uploads and opening streams of each address. Further
 * requests wait, and are refused when too many wait; without rate limits any number may wait. Until then a request has
 * caused no query, no page and no parsing, so that one address cannot make others wait for them.
 */
export function limitAnswersAtOnce(
  app: FastifyInstance,
  { rateLimits }: Pick<Config, 'rateLimits'>,
): void {
  const limits = new Map<string, LimitFunction>();
  app.decorateRequest('addressKey', '');
  app.decorateRequest('endTurn', () => {});
  app.decorateRequest('takeTurn', takeTurn);
  // Runs after the body has arrived, so that a slow one does not count. The body of an upload is read afterwards.
  app.addHook('preValidation', (request, reply) => request.takeTurn(reply));

  async function takeTurn(this: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { moves = 'answer' } = this.routeOptions.config;
    if (this.addressKey !== '') return;
    this.addressKey = addressKey(this.ip);
    if (moves === 'health') return;
    const { atOnce, waiting } = bounds[moves];
    const key = `${moves} ${this.addressKey}`;
    const limit = limits.get(key) ?? pLimit(atOnce);
    if (rateLimits && limit.pendingCount >= waiting) {
      throw new ApiError('too_many_requests', {
        detail:
          'Desde tu conexión llegan demasiadas peticiones a la vez. Espera un momento y vuelve a intentarlo.',
        headers: { 'retry-after': '2' },
      });
    }
    limits.set(key, limit);
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.endTurn = end;
    const isOver = limit(() => {
      start();
      return Promise.race([answered(this, reply), ended]);
    });
    void isOver.then(() => {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
    });
    await started;
    if (this.raw.socket.destroyed) reply.hijack();
  }
}

/** Groups of an IPv6 /64, the smallest network that a household or a rented server is assigned. */
const networkGroups = 4;
/** Some proxies, such as Azure's, append the port, and write IPv6 addresses in brackets. */
const withPort = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;

/**
 * The key of a client's address in limits: a normalized IPv4 address or an IPv6 /64. Clients without a
 * valid address share one key: it may come from a header of any length, or be missing after a disconnect.
 */
export function addressKey(address: string | undefined): string {
  const [, inBrackets, v4] = withPort.exec(address ?? '') ?? [];
  const alone = inBrackets ?? v4 ?? address;
  if (alone === undefined || !ipaddr.isValid(alone)) return 'unknown';
  const parsed = ipaddr.process(alone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, networkGroups).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Resolves when the response is sent or the connection closed. A queued pipelined response emits no event for the latter. */
function answered({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.off('close', end);
      resolve();
    };
    if (socket.destroyed) return end();
    // Node starts all pipelined requests of a connection at once, so a socket may have many listeners.
    socket.setMaxListeners(0);
    socket.once('close', end);
    raw.once('close', end);
  });
}
