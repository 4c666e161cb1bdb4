import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Longer than the site's own paths, except for images with long names. Clients can send 16 kB. */
const pathChars = 500;

/**
 * Logs one line for each response: successful reads at `debug`, all others at `info`. Client
 * addresses, headers and bodies are not logged, nor are receipts of reports.
 */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const level = isRead && reply.statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}

function loggedPath({ url, params, routeOptions }: FastifyRequest): string | undefined {
  const hasReceipt = Object.hasOwn(Object(params), 'receipt');
  return hasReceipt ? routeOptions.url : url.split('?', 1)[0]?.slice(0, pathChars);
}
