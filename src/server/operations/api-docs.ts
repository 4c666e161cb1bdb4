import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import { CachedResponse } from '../cache/cached-response.ts';
import { withResponseSlot } from '../cache/response-slots.ts';
import { sendCachedResponse } from '../cache/send-response.ts';
import { ApiError } from '../http/api-error.ts';
import { describeRoutes } from './api-description.ts';

/** More than it has; other spellings of their addresses count too. */
const mostFiles = 20;

/** The description that the routes' schemas give, and a page to read and try it. */
export function addApiDocs(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (!route.schema?.hide) routes.push(route);
  });
  // Few ever ask, and it takes memory: so it is made for the first who does.
  let describing: Promise<FastifyInstance> | undefined;
  /** By path. All who ask share the bytes, which are 1.4 MB for one script. */
  const answers = new LRUCache<string, CachedResponse>({ max: mostFiles });

  const describe = async (path: string): Promise<CachedResponse> => {
    describing ??= describeRoutes(routes);
    const { statusCode, headers, payload, rawPayload } = await (await describing).inject(path);
    if (statusCode >= 500) throw new Error(`describing the API failed: ${payload}`);
    if (statusCode !== 200) throw new ApiError('not_found');
    const kept = ['content-type', 'cache-control', 'content-security-policy'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const answer = new CachedResponse(rawPayload, Object.fromEntries(kept));
    answers.set(path, answer);
    return answer;
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const described = answers.get(path) ?? (await withResponseSlot(request, () => describe(path)));
    await sendCachedResponse(reply, described);
  };
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/*']) {
    app.get(url, { schema: { hide: true } }, answer);
  }
}
