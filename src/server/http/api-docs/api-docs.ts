import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import { openOnce } from '../../system/open-once.ts';
import { ApiError } from '../api-error.ts';
import { CachedResponse, sendCachedResponse } from '../cache/cached-response.ts';
import type { DescribedSite } from './api-description.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** Replaces these parts in the API description, on routes that check them without Fastify's help. */
    described?: { headers?: object; body?: object };
  }
}

/** Exceeds the number of Swagger UI's files, and bounds the cache when their paths are requested in other spellings. */
const maxCachedFiles = 20;

/** Serves the OpenAPI description at `/api/openapi.json` and Swagger UI at `/api/docs`. */
export function addApiDocs(app: FastifyInstance, site: DescribedSite): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (!route.schema?.hide) routes.push(route);
  });
  // Loaded and built on the first request: Swagger and the description take memory, and few visitors need them.
  const openDescription = openOnce(async () => {
    const { describeRoutes } = await import('./api-description.ts');
    return describeRoutes(routes, site);
  });
  /** Cached responses by path: Swagger UI's largest script has 1.4 MB. */
  const responses = new LRUCache<string, CachedResponse>({ max: maxCachedFiles });

  const describe = async (path: string): Promise<CachedResponse> => {
    const description = await openDescription();
    const { statusCode, headers, payload, rawPayload } = await description.inject(path);
    if (statusCode >= 500) throw new Error(`describing the API failed: ${payload}`);
    if (statusCode !== 200) throw new ApiError('not_found');
    const cachedHeaders = ['content-type', 'cache-control', 'content-security-policy'].flatMap(
      (name): [string, string][] =>
        headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const response = new CachedResponse(rawPayload, Object.fromEntries(cachedHeaders));
    responses.set(path, response);
    return response;
  };
  const sendDescription = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    await sendCachedResponse(reply, responses.get(path) ?? (await describe(path)));
  };
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/*']) {
    app.get(url, { schema: { hide: true } }, sendDescription);
  }
}
