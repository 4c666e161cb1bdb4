import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteShorthandOptions,
} from 'fastify';
import type { App } from '../http/app-type.ts';
import { CachedResponse, sendCachedResponse } from './cached-response.ts';
import type { ResponseCache, Subject } from './response-cache.ts';

interface CachedRead<Data> {
  /** The canonical URL: requests with the same one get the same response. */
  url: string;
  /** Undefined when what it shows changes without being announced: the response is not cached. */
  subject: Subject | undefined;
  load: () => Promise<Data>;
}

/** A request whose parameters have the types of the route's schema. */
type TypedRequest<Schema extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  Schema,
  TypeBoxTypeProvider
>;

interface CachedRoute<Schema extends FastifySchema, Data> {
  schema: Schema;
  read: (request: TypedRequest<Schema>) => CachedRead<Data>;
  respond: (reply: FastifyReply, data: Data) => CachedResponse | Promise<CachedResponse>;
  /** Part of the key besides the URL, for responses that depend on more than that. */
  keyPrefix?: (request: FastifyRequest) => string;
  errorHandler?: RouteShorthandOptions['errorHandler'] | undefined;
}

/**
 * A GET route whose response is the same for every caller and is cached until its subject changes.
 * A request whose URL is spelled canonically is served before its parameters are even validated.
 */
export function cachedRoute<Schema extends FastifySchema, Data>(
  app: App,
  responses: ResponseCache,
  url: string,
  route: CachedRoute<Schema, Data>,
): void {
  const { schema, read, respond, errorHandler } = route;
  const keyOf = (request: FastifyRequest, url: string) =>
    `${route.keyPrefix?.(request) ?? ''} ${url}`;

  app.get(
    url,
    {
      schema: schema as FastifySchema,
      ...(errorHandler && { errorHandler }),
      onRequest: (request, reply, done) => {
        const response = responses.cached(keyOf(request, request.url));
        if (response) sendCachedResponse(reply, response);
        else done();
      },
    },
    async (request, reply) => {
      const { url, subject, load } = read(request as TypedRequest<Schema>);
      const make = async () => respond(reply, await load());
      const response = subject
        ? await responses.get(keyOf(request, url), subject, make)
        : await make();
      return sendCachedResponse(reply, response);
    },
  );
}

/** A `cachedRoute` that responds with its data as JSON, in the shape of its response schema. */
export function cachedGet<Schema extends FastifySchema, Data>(
  app: App,
  responses: ResponseCache,
  url: string,
  schema: Schema,
  read: (request: TypedRequest<Schema>) => CachedRead<Data>,
  errorHandler?: CachedRoute<Schema, Data>['errorHandler'],
): void {
  const respond = (reply: FastifyReply, data: Data) => jsonResponse(String(reply.serialize(data)));
  cachedRoute(app, responses, url, { schema, read, respond, errorHandler });
}

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  // Clients revalidate with each request: an unchanged response is a 304 of a few bytes.
  'cache-control': 'public, no-cache',
};

function jsonResponse(json: string): CachedResponse {
  return new CachedResponse(json, jsonHeaders);
}
