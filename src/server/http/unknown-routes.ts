import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isForPage } from './page-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Disables CORS headers, whatever CORS_ORIGINS says. */
    cors?: false;
  }
}

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Collects the routes that are registered afterwards.
 * @returns a function that adds a 405 response with `Allow` for the other methods of each URL; call it once
 *   all routes are registered
 */
export function collectRoutes(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  const withoutCors = new Set<string>();
  app.addHook('onRoute', ({ url, method, config }) => {
    const known = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one.toUpperCase());
    methodsOf.set(url, known);
    if (config?.cors === false) withoutCors.add(url);
  });
  return () => {
    for (const [url, known] of [...methodsOf]) {
      const others = allMethods.filter((method) => !known.has(method));
      if (others.length === 0) continue;
      const allow = [...known].join(', ');
      app.route({
        method: others,
        url,
        schema: { hide: true },
        config: { isUnlisted: true, ...(withoutCors.has(url) && { cors: false }) },
        // This hook runs before the content type is checked.
        onRequest: () => {
          throw new ApiError('method_not_allowed', { headers: { allow } });
        },
        handler: () => {},
      });
    }
  };
}

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
