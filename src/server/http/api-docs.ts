import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Refusal } from '../errors.ts';

/** The description that the routes' schemas give, and a page to read and try it. */
export function addApiDocs(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (!route.schema?.hide) routes.push(route);
  });
  // Few ever ask, and it takes memory: so it is made for the first who does.
  let describing: Promise<FastifyInstance> | undefined;
  const answer = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    describing ??= import('./api-description.ts').then((made) => made.describeRoutes(routes));
    const made = await (await describing).inject({ url, headers });
    if (made.statusCode >= 500) throw new Error(`describing the API failed: ${made.payload}`);
    if (made.statusCode >= 400) throw new Refusal('not_found');
    const { connection, date, ...its } = made.headers;
    return reply.code(made.statusCode).headers(its).send(made.rawPayload);
  };
  for (const url of ['/api/openapi.json', '/api/docs', '/api/docs/*']) {
    app.get(url, { schema: { hide: true } }, answer);
  }
}
