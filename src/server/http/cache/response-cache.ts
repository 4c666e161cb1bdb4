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
import { LRUCache } from 'lru-cache';
import type { LiveBus } from '../../database/bus/live-bus.ts';
import type { App } from '../app-type.ts';
import { CachedResponse, sendCachedResponse } from './cached-response.ts';

interface CachedRead<Data> {
  /**
   * The canonical URL, without parameters that were not given: requests with the same one get the same response.
   * Undefined when the response is not cached because its content changes without an announcement.
   */
  url: string | undefined;
  /** The channel, of a response that shows nothing of other channels. */
  channelId?: string;
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
  /** Part of the cache key, for responses that depend on more than the URL. */
  keyPrefix?: (request: FastifyRequest) => string;
  errorHandler?: RouteShorthandOptions['errorHandler'] | undefined;
}

/**
 * A GET route whose response is the same for every caller and is cached until something public changes.
 * A request whose URL is spelled canonically is served from the cache before its parameters are validated and before it
 * is counted.
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
      const { url, channelId, load } = read(request as TypedRequest<Schema>);
      const make = async () => respond(reply, await load());
      const response =
        url === undefined
          ? await make()
          : await responses.get(keyOf(request, url), make, channelId);
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

/** Room for several hundred pages; beyond it the least recently used are evicted. */
const maxBytes = 16 * 1024 * 1024;
/** Larger responses, such as lists of long comments, are not cached: a few dozen would evict all pages. */
const maxEntryBytes = 1024 * 1024;

interface Entry<Response> {
  response: Response;
  channelId: string | undefined;
}

/**
 * Responses that are the same for every caller. A public change discards them before it is acknowledged, so that a client
 * that knows of it never reads an older state: all of them, except that a comment or thanks keeps those that show only
 * another channel.
 */
export class ResponseCache {
  readonly #live: LiveBus;
  /** Responses being made. A public change removes them, so that they are not cached. */
  readonly #pending = new Map<string, Entry<Promise<CachedResponse>>>();
  readonly #entries = new LRUCache<string, Entry<CachedResponse>>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    // Add half the size for the compressed encodings, and a constant for the bookkeeping.
    sizeCalculation: ({ response }, key) =>
      Math.ceil(response.bytes.length * 1.5) + key.length + 500,
  });

  constructor(live: LiveBus) {
    this.#live = live;
    live.watch((message) => {
      if (message === 'gap') this.clear();
      else if (message.kind === 'comment' || message.kind === 'counts')
        this.#keepOthers(message.channelId);
      else if (message.kind !== 'access') this.clear();
    });
  }

  /** Returns the cached response, if it is known to be current. */
  cached(key: string): CachedResponse | undefined {
    // While the bus is disconnected, changes go unnoticed and no entry can be trusted.
    return this.#live.isListening ? this.#entries.get(key)?.response : undefined;
  }

  /**
   * Returns the cached response, or else calls `make`. Concurrent calls share one call of `make`, whose result is
   * cached unless there was a public change in between. If `make` rejects, so do all calls that wait for it, and
   * nothing is cached.
   * @param key contains everything that the response depends on, except time
   * @param channelId the channel, of a response that shows nothing of other channels
   */
  async get(
    key: string,
    make: () => Promise<CachedResponse>,
    channelId?: string,
  ): Promise<CachedResponse> {
    const known = this.cached(key) ?? this.#pending.get(key)?.response;
    if (known) return known;
    const pending = { response: make(), channelId };
    this.#pending.set(key, pending);
    const isCurrent = () => this.#pending.get(key) === pending;
    try {
      const response = await pending.response;
      if (isCurrent() && this.#live.isListening) this.#entries.set(key, { response, channelId });
      return response;
    } finally {
      if (isCurrent()) this.#pending.delete(key);
    }
  }

  /** Discards what shows a channel, or may show it. */
  #keepOthers(channelId: string): void {
    for (const entries of [this.#entries, this.#pending])
      for (const [key, entry] of entries)
        if (entry.channelId === undefined || entry.channelId === channelId) entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#pending.clear();
  }
}
