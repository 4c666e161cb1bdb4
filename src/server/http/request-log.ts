import type { FastifyInstance } from 'fastify';

/** No address of the site is longer but those of images with long names; anyone may send 16 kB. */
const pathChars = 500;

/**
 * One line an answer: writes and refusals at `info`, quiet reads at `debug`. Neither addresses of
 * people nor headers nor bodies are in it.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const level = isRead && reply.statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        path: request.url.split('?', 1)[0]?.slice(0, pathChars),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}
