import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/**
 * Makes every app of this process answer 500 instead of a status that the API description does not name for the route.
 * Routes that describe no responses, such as pages, are not checked, and neither is 304, which the cache adds.
 */
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onSend', async ({ method, routeOptions: { url, schema } }, reply) => {
    const described = Object.keys((schema?.response as object | undefined) ?? {});
    const status = String(reply.statusCode);
    if (described.length === 0 || status === '304' || status >= '500') return;
    if (described.includes(status) || described.includes(`${status[0]}xx`)) return;
    throw new Error(`The API description of ${method} ${url} has no status ${status}`);
  });
});
