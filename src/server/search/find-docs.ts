import type { Database } from '../database/tables.ts';
import type { Query } from './parse-query.ts';

export interface DocSearch {
  query: Query;
  /** Only in this channel. */
  channelId?: string | undefined;
  /** Only docs below this one; undefined for all. */
  before?: number | undefined;
  limit: number;
}

export interface FoundDocs {
  /** Numbers of `search_docs`, the highest (newest) first. Phrases are not checked. */
  docs: number[];
  /** The search goes on below this doc; null when there is nothing left. */
  rest: number | null;
}

/** Finds comments by the search index, the newest first. */
export async function findDocs(_db: Database, _search: DocSearch): Promise<FoundDocs> {
  return { docs: [], rest: null };
}

/** Ids of channels whose name or description matches, the newest first. */
export async function findChannels(
  _db: Database,
  _query: Query,
  _limit: number,
): Promise<string[]> {
  return [];
}
