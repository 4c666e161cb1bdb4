import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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
import { withResponseSlot } from '../overload/response-slots.ts';
import { CachedResponse } from './cached-response.ts';
import type { ResponseCache, Subject } from './response-cache.ts';
import { sendCachedResponse } from './send-response.ts';

interface CachedRead<Data> {
  /** The canonical URL: requests with the same one get the same response. */
  url: string;
  subject: Subject;
  /**
   * Whether only clients other than the site's own use it, the number of whose URLs is unbounded, or what it shows
   * changes without being announced: the response is not cached and counts as a costly read. False by default.
   */
  isUnusual?: boolean;
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
      config: {
        budget: (request) =>
          read(request as TypedRequest<Schema>).isUnusual ? 'costlyRead' : 'read',
      },
      ...(errorHandler && { errorHandler }),
      onRequest: async (request, reply) => {
        const response = responses.cached(keyOf(request, request.url));
        if (!response) return;
        await sendCachedResponse(reply, response);
        return reply;
      },
    },
    async (request, reply) => {
      const { url, subject, isUnusual = false, load } = read(request as TypedRequest<Schema>);
      const make = async () => {
        const data = await load();
        // Each step of a long answer takes some 20 ms: let other requests run in between.
        await yieldToEventLoop();
        const response = await respond(reply, data);
        await yieldToEventLoop();
        return response;
      };
      const key = keyOf(request, url);
      const cached = isUnusual ? undefined : responses.cached(key);
      if (cached) return sendCachedResponse(reply, cached);
      // Wait in the queue of this caller's address even if an equal response is being made for
      // another address, whose queue may be longer. Send in the same turn, so that it is not retained.
      const send = async () =>
        sendCachedResponse(reply, await (isUnusual ? make() : responses.get(key, subject, make)));
      await withResponseSlot(request, send, { isCostly: isUnusual });
      return reply;
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

export function jsonResponse(json: string): CachedResponse {
  return new CachedResponse(json, jsonHeaders);
}
