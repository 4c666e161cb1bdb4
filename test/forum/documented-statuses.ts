import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/**
 * Makes every app of this process answer 500 instead of a status or content type that the API description does not name
 * for the route. Routes that describe no responses, such as pages, are not checked, and neither is 304, which the cache
 * adds.
 */
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onSend', async ({ method, routeOptions: { url, schema } }, reply, payload) => {
    const responses = (schema?.response ?? {}) as Record<string, DescribedResponse>;
    // Fastify takes status and headers from a response of the tus server only after this hook.
    const whole = payload instanceof Response ? payload : undefined;
    const status = String(whole?.status ?? reply.statusCode);
    if (Object.keys(responses).length === 0 || status === '304' || status >= '500') return;
    const described = responses[status] ?? responses[`${status[0]}xx`];
    if (!described) {
      throw new Error(`The API description of ${method} ${url} has no status ${status}`);
    }
    const header = whole?.headers.get('content-type') ?? reply.getHeader('content-type');
    const type = header?.toString().split(';')[0];
    const json = status < '400' ? 'application/json' : 'application/problem+json';
    const types = Object.keys(described.content ?? { [json]: {} });
    if (type !== undefined && described.type !== 'null' && !types.includes(type)) {
      throw new Error(`The API description of ${method} ${url} has no ${type} for ${status}`);
    }
  });
});

/** The part of a response's schema that is checked. */
interface DescribedResponse {
  type?: string;
  /** By content type. Without it, the response is JSON. */
  content?: object;
}
