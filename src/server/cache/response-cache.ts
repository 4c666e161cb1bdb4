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
import type { App } from '../http/app-type.ts';
import type { LiveBus } from '../live/bus/live-bus.ts';
import { CachedResponse, sendCachedResponse } from './cached-response.ts';

interface CachedRead<Data> {
  /** The canonical URL: requests with the same one get the same response. What was not asked for is not in it. */
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

/** Room for some hundred pages; beyond it the least recently used are evicted. */
const maxBytes = 16 * 1024 * 1024;
/** Larger ones, such as lists of long comments, are made each time: a few dozen would evict all pages. */
const maxEntryBytes = 1024 * 1024;

/** `lists`: a change of any channel drops the response; a channel's id: a change of that channel; `site`: only changes that drop all. */
export type Subject = 'lists' | 'site' | { channelId: string };

/** A response that is being made. */
interface Pending {
  subject: Subject;
  response: Promise<CachedResponse>;
  /** Whether what it shows has changed since it was begun. */
  isStale: boolean;
}

/**
 * Responses that are the same for every caller. A change drops those that show it before it is acknowledged, so
 * that a client that knows of it never reads an older state. One response per key is made at a time.
 */
export class ResponseCache {
  readonly #live: LiveBus;
  readonly #pending = new Map<string, Pending>();
  readonly #entries = new LRUCache<string, { subject: Subject; response: CachedResponse }>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    // Add half the size for the compressed encodings, and a constant for the bookkeeping.
    sizeCalculation: ({ response }, key) =>
      Math.ceil(response.bytes.length * 1.5) + key.length + 500,
  });

  constructor(live: LiveBus) {
    this.#live = live;
    live.watch((message) => {
      // A person appears in many responses: as an author, and in mentions, replies and thanks.
      if (message === 'gap' || message.kind === 'profile') this.clear();
      else this.#drop((subject) => isShownIn(subject, message.channelId));
    });
  }

  /** Returns the cached response, if it is known to be current. */
  cached(key: string): CachedResponse | undefined {
    // While the bus is disconnected, changes go unnoticed and no entry can be trusted.
    return this.#live.isListening ? this.#entries.get(key)?.response : undefined;
  }

  /**
   * Returns the cached response, or else the one that `make` resolves to, which is then cached. If `make`
   * rejects, so do all calls that wait for it, and nothing is cached.
   * @param key contains everything that the response depends on, except time
   */
  async get(
    key: string,
    subject: Subject,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    for (;;) {
      const cached = this.cached(key);
      if (cached) return cached;
      const pending = this.#pending.get(key);
      if (!pending) return this.#make(key, subject, make);
      if (!pending.isStale) return pending.response;
      // This caller may know of a change that the pending response lacks: wait and make another.
      await pending.response.catch(() => {});
    }
  }

  async #make(
    key: string,
    subject: Subject,
    make: () => Promise<CachedResponse>,
  ): Promise<CachedResponse> {
    const pending: Pending = { subject, response: make(), isStale: false };
    this.#pending.set(key, pending);
    try {
      const response = await pending.response;
      if (!pending.isStale && this.#live.isListening) this.#entries.set(key, { subject, response });
      return response;
    } finally {
      this.#pending.delete(key);
    }
  }

  clear(): void {
    this.#drop(() => true);
  }

  #drop(hasChanged: (subject: Subject) => boolean): void {
    for (const pending of this.#pending.values()) pending.isStale ||= hasChanged(pending.subject);
    const keys: string[] = [];
    this.#entries.forEach(({ subject }, key) => {
      if (hasChanged(subject)) keys.push(key);
    });
    for (const key of keys) this.#entries.delete(key);
  }
}

/** Lists show the number of comments of each channel, and are sorted by it. */
function isShownIn(subject: Subject, channelId: string): boolean {
  return subject === 'lists' || (typeof subject === 'object' && subject.channelId === channelId);
}
