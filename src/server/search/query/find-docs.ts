import type { Database } from '../../database/tables.ts';
import { authorToken, channelToken } from '../../search-index/index-comment.ts';
import { queriesOf } from './search-queries.ts';
import type { Match, Terms } from './terms.ts';

/** Limits a search to a channel or to the comments of an author. Without a limit everything is searched. */
export interface Scope {
  channelId?: string | undefined;
  authorId?: string | undefined;
  /** Whether only the newest docs are searched, because the whole index takes too long. */
  onlyNewest?: boolean | undefined;
}

export interface DocSearch extends Scope {
  query: Terms;
  /** Tokens of channels and authors whose comments are excluded. */
  without?: Iterable<string>;
  /** Restricts the search to docs below this one. */
  before?: number | undefined;
  limit: number;
}

/** Higher than any doc. */
export const docsEnd = 0x7fffffff;

interface FoundDocs {
  /** Numbers of `search_docs`, the highest (newest) first. Phrases are not checked. */
  docs: number[];
  /** The search continues below this doc; null when nothing is left. */
  rest: number | null;
}

/**
 * Finds comments with the search index, newest first. Finds nothing without required words, or if one has no matches.
 */
export async function findDocs(db: Database, search: DocSearch): Promise<FoundDocs> {
  const { query, channelId, authorId, without = [], before = docsEnd, limit } = search;
  // For an entry whose matches are all excluded, the index would compare all docs of the word with themselves.
  const isExcluded = (match: Match) => query.excluded.includes(match);
  const hasNone = query.required.some((entry) => entry.every(isExcluded));
  if (query.required.length === 0 || hasNone) return { docs: [], rest: null };
  const within = [...(query.within ?? [])];
  if (channelId !== undefined) within.push([channelToken(channelId)]);
  if (authorId !== undefined) within.push([authorToken(authorId)]);
  const excluded = [...query.excluded, ...without];
  // Request one more, to know whether any are left.
  const terms = { ...query, within, excluded };
  const page = { end: before, limit: limit + 1, onlyNewest: search.onlyNewest };
  const docs = await queriesOf(db).findDocs(db, terms, page);
  const rest = docs.length > limit ? (docs[limit - 1] ?? null) : null;
  return { docs: docs.slice(0, limit), rest };
}

/** Which of these tokens occur in the index; of many tokens, perhaps only the first ones. */
export function occurringTokens(db: Database, tokens: string[]): Promise<string[]> {
  return queriesOf(db).occurring(db, tokens);
}
