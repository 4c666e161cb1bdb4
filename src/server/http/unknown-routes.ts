import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { isForPage } from './page-requests.ts';

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers 405 with `Allow` on every known address for the methods it does not take.
 * @returns a function to call once all routes are registered.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one.toUpperCase());
    methodsOf.set(url, known);
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
        // Before the body is looked at: its type does not matter here.
        onRequest: () => {
          throw new ApiError('method_not_allowed', { headers: { allow } });
        },
        handler: () => {},
      });
    }
  };
}

/** An unknown address: a page for people, `not_found` for programs. */
export function answerUnknown(sendNotFound: (reply: FastifyReply) => Promise<void>) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isForPage(request)) throw new ApiError('not_found');
    return sendNotFound(reply);
  };
}

/** No name here holds a NUL, and PostgreSQL cannot even be asked for one. */
export function refuseNul(
  app: FastifyInstance,
  answerNotFound: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!request.url.split('?', 1)[0]?.includes('%00')) return;
    await answerNotFound(request, reply);
    return reply;
  });
}
