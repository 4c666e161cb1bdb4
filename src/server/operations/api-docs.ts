import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Answer } from '../cache/cached-response.ts';
import { sendAnswer } from '../cache/send-response.ts';
import { Refusal } from '../http/api-error.ts';
import { inMakingTurn } from '../cache/response-slots.ts';

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
  const answers = new LRUCache<string, Answer>({ max: mostFiles });

  const describe = async (path: string): Promise<Answer> => {
    describing ??= import('./api-description.ts').then((made) => made.describeRoutes(routes));
    const { statusCode, headers, payload, rawPayload } = await (await describing).inject(path);
    if (statusCode >= 500) throw new Error(`describing the API failed: ${payload}`);
    if (statusCode !== 200) throw new Refusal('not_found');
    const kept = ['content-type', 'cache-control', 'content-security-policy'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    const answer = new Answer(rawPayload, Object.fromEntries(kept));
    answers.set(path, answer);
    return answer;
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const described = answers.get(path) ?? (await inMakingTurn(request, () => describe(path)));
    await sendAnswer(reply, described);
  };
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/*']) {
    app.get(url, { schema: { hide: true } }, answer);
  }
}
