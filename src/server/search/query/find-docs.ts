import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { authorToken, channelToken } from '../index/comment-tokens.ts';
import * as postgres from './postgres-search.ts';
import * as sqlite from './sqlite-search.ts';
import { exactly, type FoundDocs, type Terms } from './terms.ts';

/** Time after which a search ends; its result says where to continue. */
const budgetMs = 1000;

export interface DocSearch {
  query: Terms;
  /** Restricts the search to this channel. */
  channelId?: string | undefined;
  /** Restricts the search to comments of this author, and hardly ever finds others. */
  authorId?: string | undefined;
  /** Excludes these channels, by `search_channels.id`. */
  withoutChannels?: Iterable<number>;
  /** Restricts the search to docs below this one; undefined for all. */
  before?: number | undefined;
  limit: number;
}

/** Finds comments with the search index, newest first. Without required words it finds nothing. */
export async function findDocs(db: Database, search: DocSearch): Promise<FoundDocs> {
  const { query, channelId, authorId, withoutChannels = [], before, limit } = search;
  if (query.required.length === 0) return { docs: [], rest: null };
  const required = [...query.required];
  if (channelId !== undefined) {
    const channel = await channelNumber(db, channelId);
    if (channel === undefined) return { docs: [], rest: null };
    required.push([exactly(channelToken(channel))]);
  }
  if (authorId !== undefined) required.push([exactly(authorToken(authorId))]);
  const excluded = [...query.excluded, ...Array.from(withoutChannels, channelToken)];
  const end = Math.min(before ?? Number.POSITIVE_INFINITY, (await highestDoc(db)) + 1);
  const find = isPostgres(db) ? postgres.findDocs : sqlite.findDocs;
  const endMs = performance.now() + budgetMs;
  // Request one more, to know whether anything is left.
  const { docs, rest } = await find(db, { required, excluded }, end, limit + 1, endMs);
  return docs.length > limit
    ? { docs: docs.slice(0, limit), rest: docs[limit - 1] ?? null }
    : { docs, rest: rest === 0 ? null : rest };
}

/** Finds ids of visible channels whose name or description matches, newest first. Phrases are not checked. */
export async function findChannels(db: Database, query: Terms, limit: number): Promise<string[]> {
  if (query.required.length === 0) return [];
  return isPostgres(db)
    ? postgres.findChannels(db, query, limit)
    : sqlite.findChannels(db, query, limit);
}

async function channelNumber(db: Database, channelId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('search_channels')
    .select('id')
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return row?.id;
}

async function highestDoc(db: Database): Promise<number> {
  const row = await db
    .selectFrom('search_docs')
    .select('doc')
    .orderBy('doc', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.doc ?? 0;
}
