import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { buildName } from '../../system/version.ts';

const spanishTags: Record<string, string> = {
  accounts: 'cuentas',
  channels: 'canales',
  comments: 'comentarios',
  health: 'estado',
  images: 'imágenes',
  live: 'en directo',
  moderation: 'moderación',
  people: 'personas',
  search: 'búsqueda',
  uploads: 'subidas',
};

/** Builds a separate app that serves the OpenAPI description of the routes and Swagger UI. */
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
          '`application/problem+json` (RFC 9457) con un `code` estable y un `detail` en español. Se ' +
          'comprueba en este orden: la sesión (401), la petición (400), si existe (404), si se puede (403), ' +
          '`If-Match` (428, 412) y lo que dice el cuerpo de otras cosas guardadas (400).',
        version: buildName(),
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
    // The library's own policy requires https, which fails on a local http site. Inline styles are safe
    // here: the page shows no user content.
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    // BaseLayout omits the Swagger logo bar.
    uiConfig: { deepLinking: false, layout: 'BaseLayout' },
    theme: { title: 'API de tertulia' },
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
  for (const { method, url, schema } of routes) {
    const tags = (schema?.tags ?? []).map((tag) => spanishTags[tag] ?? tag);
    app.route({ method, url, schema: { ...schema, tags }, handler: () => {} });
  }
  return app;
}
