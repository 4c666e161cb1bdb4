import type { FastifyRequest } from 'fastify';
import { limits } from '../../shared/limits.ts';
import type { SearchOrder, SearchResults } from '../../shared/search.ts';
import { isPostgres } from '../database/is-postgres.ts';
import type { Database } from '../database/tables.ts';
import { ApiError, unavailableError } from '../http/api-error.ts';
import { addressKey } from '../overload/address-key.ts';
import { ConcurrencyLimit } from '../overload/concurrency-limits.ts';
import { FairSemaphore } from '../overload/fair-semaphore.ts';
import { timeSlices, type YieldIfDue } from '../overload/time-slices.ts';
import { isIndexComplete } from './index/index-state.ts';
import { searchChannels } from './query/search-channels.ts';
import { searchComments } from './query/search-comments.ts';
import type { SearchText } from './query/search-text.ts';
import { findSuggestion } from './query/suggestion.ts';

/** Searches at once in this process, and for one address. */
const searchesAtOnce = { total: 10, perKey: 4 };
/** Searches that use PostgreSQL at once, each one connection: the other half is for other requests. */
const connections = 5;

interface Search extends SearchText {
  /** Only in this channel, which must be visible. */
  channelId?: string | undefined;
  sort: SearchOrder;
  limit: number;
  /** `next` of the page before. */
  after?: string | undefined;
}

/** Searches for clients, within their limits. */
export interface SearchService {
  /**
   * Ends when the client of the request has left.
   * @throws InvalidCursor; ApiError `too_many_requests`, `busy`, both with Retry-After
   */
  search: (request: FastifyRequest, search: Search) => Promise<SearchResults>;
  /** Name of a visible channel to search in. @throws ApiError `channel_not_found` */
  requireSearchedChannel: (id: string) => Promise<{ _id: string; name: string }>;
}

export function openSearch({
  db,
  generation,
}: {
  db: Database;
  generation: string;
}): SearchService {
  const running = new ConcurrencyLimit({
    ...searchesAtOnce,
    detail: 'Ya estás buscando varias cosas a la vez. Espera un momento y vuelve a intentarlo.',
    retryAfterSeconds: 2,
  });
  const slots = new FairSemaphore(connections, searchesAtOnce.total, unavailableError);
  return {
    search: async ({ ip, raw: { socket } }, search) => {
      const key = addressKey(ip);
      const release = running.acquire(key);
      const gone = new AbortController();
      const end = () => gone.abort(unavailableError());
      socket.once('close', end);
      if (socket.destroyed) end();
      const find = () => findAll(db, generation, search, timeSlices(gone.signal));
      try {
        return await (isPostgres(db) ? slots.run(key, find) : find());
      } finally {
        socket.off('close', end);
        release();
      }
    },
    requireSearchedChannel: (id) => requireSearchedChannel(db, id),
  };
}

async function findAll(
  db: Database,
  generation: string,
  search: Search,
  yieldIfDue: YieldIfDue,
): Promise<SearchResults> {
  await yieldIfDue();
  const { q, query, channelId, after } = search;
  const isFirst = after === undefined;
  const channels =
    isFirst && channelId === undefined ? await searchChannels(db, query, yieldIfDue) : [];
  const maxBytes = limits.pageBytes - Buffer.byteLength(JSON.stringify(channels));
  const { data, next } = await searchComments(db, generation, { ...search, maxBytes }, yieldIfDue);
  const isNothing = isFirst && data.length + channels.length === 0 && next === null;
  return {
    data,
    channels,
    next,
    suggestion: isNothing ? await findSuggestion(db, q, channelId, yieldIfDue) : null,
    isComplete: await isIndexComplete(db),
  };
}

async function requireSearchedChannel(
  db: Database,
  id: string,
): Promise<{ _id: string; name: string }> {
  // PostgreSQL text cannot store NUL.
  const channel = id.includes('\0')
    ? undefined
    : await db
        .selectFrom('visible_channels')
        .select(['id as _id', 'name'])
        .where('id', '=', id)
        .executeTakeFirst();
  if (!channel) throw new ApiError('channel_not_found');
  return channel;
}
