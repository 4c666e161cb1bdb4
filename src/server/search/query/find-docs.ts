import { isPostgres } from '../../database/is-postgres.ts';
import type { Database } from '../../database/tables.ts';
import { authorToken, channelToken } from '../index/comment-tokens.ts';
import { firstDoc } from '../index/index-docs.ts';
import * as postgres from './postgres-search.ts';
import * as sqlite from './sqlite-search.ts';
import type { FoundDocs, Terms } from './terms.ts';

/** Where a search looks: everywhere, in a channel, and among the comments of an author. */
export interface Scope {
  channelId?: string | undefined;
  authorId?: string | undefined;
}

export interface DocSearch extends Scope {
  query: Terms;
  withoutChannels?: Iterable<string>;
  /** Restricts the search to docs below this one; undefined for all. */
  before?: number | undefined;
  limit: number;
}

/** Higher than any doc. */
export const docsEnd = 0x7fffffff;

/** Finds comments with the search index, newest first. Without required words it finds nothing. */
export async function findDocs(db: Database, search: DocSearch): Promise<FoundDocs> {
  const { query, channelId, authorId, withoutChannels = [], limit } = search;
  if (query.required.length === 0) return { docs: [], rest: null };
  const required = [...query.required];
  if (channelId !== undefined) required.push([channelToken(channelId)]);
  if (authorId !== undefined) required.push([authorToken(authorId)]);
  const excluded = [...query.excluded, ...Array.from(withoutChannels, channelToken)];
  const before = search.before ?? (await firstDoc(db, 'desc')) + 1;
  const find = isPostgres(db) ? postgres.findDocs : sqlite.findDocs;
  // Request one more, to know whether anything is left.
  const { docs, rest } = await find(db, { required, excluded }, before, limit + 1);
  return docs.length > limit
    ? { docs: docs.slice(0, limit), rest: docs[limit - 1] ?? null }
    : { docs, rest };
}

/** Finds ids of visible channels whose name or description matches, newest first. Phrases are not checked. */
export async function findChannels(db: Database, query: Terms, limit: number): Promise<string[]> {
  if (query.required.length === 0) return [];
  const find = isPostgres(db) ? postgres.findChannels : sqlite.findChannels;
  return find(db, query, limit);
}
