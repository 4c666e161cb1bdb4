import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify';
import { buildName } from '../../system/version.ts';
import { namedSchemas, withReferences, withReferencesInside } from './named-schemas.ts';

/** The parts of the description that depend on the site. */
export interface DescribedSite {
  publicUrl: string | undefined;
  /** The cookie of a remembered browser. */
  deviceCookieName: string;
}

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

/** HEAD is described where it does not merely follow GET. */
function isDescribed({ method, url }: RouteOptions, routes: RouteOptions[]): boolean {
  const hasGet = () => routes.some((other) => other.method === 'GET' && other.url === url);
  return method !== 'HEAD' || !hasGet();
}

/** The schema of a route, with references to the named schemas. */
function toDescribed(schema: FastifySchema): FastifySchema {
  const { tags = [], security = [], described = {}, ...own } = schema;
  const { params, querystring, headers, body, response, ...texts } = { ...own, ...described };
  const insides = Object.entries({ params, querystring, headers, response }).flatMap(
    ([part, value]): [string, object][] =>
      value === undefined ? [] : [[part, withReferencesInside(value)]],
  );
  return {
    ...texts,
    tags: tags.map((tag) => spanishTags[tag] ?? tag),
    // A route without a guard is public.
    security,
    ...Object.fromEntries(insides),
    ...(body !== undefined && { body: withReferences(body) }),
  };
}

/** @returns `patchChannelsId` for `PATCH /api/channels/{id}` */
function operationIdOf(method: string, path: string): string {
  const words = path.replace(/^\/api\//, '').match(/[a-zA-Z0-9]+/g) ?? [];
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Descriptions of responses whose schemas have none. */
const statusTexts: Record<string, string> = {
  200: 'Hecho: lo que se pidió, o como queda.',
  201: 'Creado.',
  202: 'Recibido; todavía no está hecho.',
  204: 'Hecho.',
};

/** Completes each operation with what Fastify's schemas do not say. */
function completeOperations(paths: Paths): void {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { requestBody, responses } = operation;
      operation.operationId ??= operationIdOf(method, path);
      for (const [status, response] of Object.entries(responses)) {
        if (response.description === 'Default Response') {
          response.description = statusTexts[status] ?? '';
        }
      }
      const problem = { $ref: '#/components/responses/Problem' };
      Object.assign(responses, { '4XX': problem, '5XX': problem });
      const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
      const isNull = ({ type }: { type?: string }) => type === 'null';
      if (requestBody && schemas.some(({ anyOf }) => anyOf?.some(isNull))) {
        requestBody.required = false;
      }
    }
  }
}

/** Some schemas are only parts of others. */
function withoutUnused(schemas: object, description: object): object {
  const text = JSON.stringify(description);
  const isUsed = ([name]: [string, unknown]) => text.includes(`"#/components/schemas/${name}"`);
  return Object.fromEntries(Object.entries(schemas).filter(isUsed));
}

type Paths = Record<string, Record<string, Operation>>;

/** The part of an operation that is completed. */
interface Operation {
  operationId?: string;
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: { anyOf?: { type?: string }[] } }>;
  };
  responses: Record<string, { description?: string }>;
}

/** Builds a separate app that serves the OpenAPI description of the routes and Swagger UI. */
export async function describeRoutes(
  routes: RouteOptions[],
  { publicUrl, deviceCookieName }: DescribedSite,
): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  await app.register(swagger, {
    exposeHeadRoutes: true,
    refResolver: { buildLocalReference: ({ $id }, _uri, _fragment, index) => String($id ?? index) },
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
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl ?? '/' }],
      components: {
        securitySchemes: {
          basic: {
            type: 'http',
            scheme: 'basic',
            description: 'Correo y contraseña, solo para iniciar sesión.',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'El `token` de una sesión, que se recibe al iniciarla.',
          },
          rememberedBrowser: {
            type: 'apiKey',
            in: 'cookie',
            name: deviceCookieName,
            description: 'La cookie de un navegador que mantiene la sesión.',
          },
        },
        responses: {
          Problem: {
            description: 'Por qué no se hizo, y qué se puede hacer.',
            headers: {
              'Retry-After': {
                schema: { type: 'integer' },
                description:
                  'Segundos que hay que esperar antes de repetir la petición, si se sabe.',
              },
            },
            content: {
              'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
            },
          },
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
  app.get('/api/openapi.json', { schema: { hide: true } }, () => {
    const description = app.swagger();
    completeOperations((description.paths ?? {}) as Paths);
    const components = 'components' in description ? description.components : {};
    const schemas = withoutUnused(components?.schemas ?? {}, description);
    return { ...description, components: { ...components, schemas } };
  });
  for (const schema of namedSchemas) app.addSchema(schema);
  for (const route of routes.filter((one) => isDescribed(one, routes))) {
    const { method, url, schema = {} } = route;
    app.route({ method, url, schema: toDescribed(schema), handler: () => {} });
  }
  return app;
}
