import type { FastifyRequest } from 'fastify';
import type { SearchOrder, SearchResults } from '../../shared/search.ts';
import type { Database } from '../database/tables.ts';
import { listChannelsById } from '../forum/channels/channel-queries.ts';
import { requirePerson } from '../forum/people/person-queries.ts';
import { ApiError, unavailableError } from '../http/api-error.ts';
import { createLimit } from '../http/limits/bounded-queue.ts';
import { isIndexComplete } from '../search-index/index-state.ts';
import { findCorrection } from './query/corrections.ts';
import type { Scope } from './query/find-docs.ts';
import { findPeople } from './query/find-people.ts';
import { parseQuery } from './query/parse-query.ts';
import { searchChannels } from './query/search-channels.ts';
import { searchComments } from './query/search-comments.ts';
import { queriesOf } from './query/search-queries.ts';
import type { SearchText } from './query/search-text.ts';

/** Each search uses a connection to PostgreSQL for up to a second. */
const searchesAtOnce = 4;

/** A search in a visible channel, or for comments by an account that is not erased. */
interface Search extends SearchText, Scope {
  /** Whether the last word may be incomplete. */
  isTyping: boolean;
  /** Whether only the words as written are searched for. */
  isExact: boolean;
  /** Number of words that each hit lacks; none by default. */
  missing?: number;
  sort: SearchOrder;
  limit: number;
  /** `next` of the previous page. */
  after?: string | undefined;
}

/** Runs searches for clients, a few at a time. */
export interface SearchService {
  /**
   * Does not start once the client of the request has disconnected.
   * @throws InvalidCursor; ApiError `unavailable` when the client has disconnected or too many searches wait
   */
  search: (request: FastifyRequest, search: Search) => Promise<SearchResults>;
  /** Name of a visible channel to search in. @throws ApiError `channel_not_found` */
  requireSearchedChannel: (id: string) => Promise<{ _id: string; name: string }>;
  /** Name of a person whose comments to search. @throws ApiError `user_not_found` */
  requireSearchedAuthor: (id: string) => Promise<{ id: string; name: string }>;
}

interface Services {
  db: Database;
  epoch: string;
}

export function openSearch({ db, epoch }: Services): SearchService {
  const searching = createLimit(searchesAtOnce);
  return {
    search: ({ raw: { socket } }, search) =>
      searching(async () => {
        if (socket.destroyed) throw unavailableError();
        return queriesOf(db).inTime(
          db,
          (trx, onlyNewest) => findAll(trx, epoch, { ...search, onlyNewest }),
          search.after === undefined,
        );
      }),
    requireSearchedChannel: async (id) => {
      const [channel] = await listChannelsById(db, [id]);
      if (!channel) throw new ApiError('channel_not_found');
      return { _id: channel._id, name: channel.name };
    },
    requireSearchedAuthor: (id) => requirePerson(db, id),
  };
}

async function findAll(db: Database, epoch: string, search: Search): Promise<SearchResults> {
  const find = (changes: Partial<Search>) => findAsWritten(db, epoch, { ...search, ...changes });
  const results = await find({});
  // Among only the newest comments, a word without hits may still occur in older ones.
  if (hasHits(results) || search.after !== undefined || search.onlyNewest) return results;
  const corrected = await findCorrection(db, search);
  if (search.isExact) return { ...results, suggestion: corrected };
  if (corrected !== null) {
    const found = await find({ query: parseQuery(corrected, false) });
    const isComplete = results.isComplete && found.isComplete;
    if (hasHits(found)) return { ...found, isComplete, searched: corrected };
  }
  if (search.isTyping) return results;
  for (const missing of [1, 2]) {
    const partial = await find({ missing });
    if (hasHits(partial)) return partial;
  }
  return results;
}

function hasHits({ data, channels, people, next }: SearchResults): boolean {
  return data.length + channels.length + people.length > 0 || next !== null;
}

async function findAsWritten(db: Database, epoch: string, search: Search): Promise<SearchResults> {
  const { query, channelId, authorId, after, missing } = search;
  const isFirst = after === undefined && channelId === undefined && authorId === undefined;
  const channels = isFirst ? await searchChannels(db, search) : [];
  const people = isFirst && !missing ? await findPeople(db, query) : [];
  const hits = await searchComments(db, epoch, search);
  const isComplete = await isIndexComplete(db);
  return { ...hits, people, channels, searched: null, suggestion: null, isComplete };
}
