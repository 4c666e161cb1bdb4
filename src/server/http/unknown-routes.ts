import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isForPage } from './page-requests.ts';

/**
 * Handles unknown URLs: a page for browsers, ApiError `not_found` for the API and files.
 * @param gate admits readers
 */
export function unknownRouteHandler(
  gate: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  sendNotFound: (reply: FastifyReply) => Promise<void>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (!isForPage(request)) throw new ApiError('not_found');
    await gate(request, reply);
    return reply.sent ? reply : sendNotFound(reply);
  };
}
