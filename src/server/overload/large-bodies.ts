import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { hasBody } from '../http/lingering-close.ts';
import { addressKey } from '../limits/address-key.ts';
import { TransferSlots } from './transfer-slots.ts';

/** Larger bodies are counted until they are answered, because each is wholly in memory before it is parsed. */
export const largeBodyBytes = 16 * 1024;

/** Large bodies being received, each of at most 256 kB. */
const arriving = new TransferSlots({
  perKey: 32,
  total: 256,
  detail:
    'Desde tu conexión llegan demasiados textos largos a la vez. Espera un momento y vuelve a intentarlo.',
  retryAfterSeconds: 2,
});

/** Limits how many large bodies are in memory. Uploads are written as they arrive and have their own limits. */
export function limitLargeBodies(app: FastifyInstance): void {
  // This runs after the routes' hooks, which refuse a request without a session.
  app.addHook('preParsing', async (request, reply) => {
    const { raw, headers, routeOptions } = request;
    const bytes = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
    if (routeOptions.config.longBody || !hasBody(request) || bytes <= largeBodyBytes) return;
    const { socket } = raw;
    const release = arriving.acquire(addressKey(request.ip), {
      movedBytes: () => socket.bytesRead,
      waitsForClient: () => !raw.complete,
      drop: () => socket.destroy(),
    });
    finished(reply.raw, release);
  });
}
