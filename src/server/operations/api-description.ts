import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';

/** An app of its own that only describes these routes: as OpenAPI, and as a page to read and try. */
export async function describeRoutes(routes: RouteOptions[]): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'tertulia',
        description:
          'La API de tertulia. Las listas llegan en `data`; los errores, como ' +
          '`application/problem+json` (RFC 9457) con un `code` estable y un `detail` en español.',
        version: '1',
      },
      components: {
        securitySchemes: {
          basic: { type: 'http', scheme: 'basic' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    // Its own policy asks for https, which a site tried out on http cannot give. The page sets
    // styles on its elements; it shows nothing that people wrote.
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    // Without the bar of the library's own name.
    uiConfig: { deepLinking: false, layout: 'BaseLayout' },
    theme: { title: 'API de tertulia' },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
  for (const { method, url, schema } of routes) {
    app.route({ method, url, schema: schema ?? {}, handler: () => {} });
  }
  return app;
}
