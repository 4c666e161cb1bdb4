import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isForPage } from './page-requests.ts';

/** Handles unknown URLs: a page for browsers, ApiError `not_found` for the API and files. */
export function unknownRouteHandler(sendNotFound: (reply: FastifyReply) => Promise<void>) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isForPage(request)) throw new ApiError('not_found');
    return sendNotFound(reply);
  };
}
