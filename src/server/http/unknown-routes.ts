import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFormPage, type PageName, pages } from '../../shared/pages.ts';
import { encodedHash, pageRoutes } from '../../shared/routes.ts';
import { ApiError } from './api-error.ts';
import { isForPage } from './page-requests.ts';

const formPaths = new Set<string>(
  (Object.keys(pages) as PageName[])
    .filter((name) => isFormPage(name))
    .map((name) => pageRoutes[name]),
);

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
    if (!isForFormPage(request.url)) await gate(request, reply);
    if (reply.sent) return reply;
    await request.count('read');
    return sendNotFound(reply);
  };
}

/**
 * Whether the URL is a form page's with an encoded `#`, such as an invitation that a messenger has changed. Guests of a
 * community of members need the way from there to the form.
 */
function isForFormPage(url: string): boolean {
  const [path = '', fragment] = url.split(encodedHash, 2);
  return fragment !== undefined && formPaths.has(path);
}
