import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isForPage } from './page-requests.ts';

/** Handles unknown URLs: a page for browsers, ApiError `not_found` for the API and files. */
export function unknownRouteHandler(sendNotFound: (reply: FastifyReply) => Promise<void>) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isForPage(request)) throw new ApiError('not_found');
    return sendNotFound(reply);
  };
}

/** Treats a path with NUL as unknown: PostgreSQL text cannot store it. */
export function rejectNul(
  app: FastifyInstance,
  sendNotFound: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.split('?', 1)[0]?.includes('%00')) return;
    await sendNotFound(request, reply);
    return reply;
  });
}
