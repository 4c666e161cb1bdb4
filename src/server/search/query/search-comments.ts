import type { SearchHit, SearchOrder } from '../../../shared/search.ts';
import { firstWithin } from '../../comments/comment-rows.ts';
import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { type Candidates, findCandidates, mostCandidates, type Scope } from './find-candidates.ts';
import { type Candidate, loadComments } from './load-docs.ts';
import type { Query } from './parse-query.ts';
import { formatCursor, type Position, parseCursor } from './search-cursors.ts';
import { findSnippet } from './snippet.ts';
import { loosen, widen } from './wide-query.ts';

/** With fewer exact hits than this, those in a wider sense follow. */
const fewHits = 10;
/**
 * UTF-16 code units of the texts on one page, beyond which it is short: finding the words to mark takes a
 * millisecond for 2,000 to 20,000 of them.
 */
const pageChars = 100_000;

export interface CommentSearch extends Scope {
  query: Query;
  /** Whether hits in a wider sense are left out. */
  isExact: boolean;
  /** Whether texts that lack a word are searched for, and no others. */
  isLoose?: boolean;
  sort: SearchOrder;
  limit: number;
  /** Maximum bytes of JSON of the hits. */
  maxBytes: number;
  /** `next` of the previous page. */
  after?: string | undefined;
}

export interface HitPage {
  data: SearchHit[];
  next: string | null;
  /** Whether the index took too long, so that the page is short. */
  isLate: boolean;
}

/** A candidate with the query that found it and the position after it. */
interface Hit extends Candidate {
  query: Query;
  position: Position;
}

/**
 * Returns one page of visible comments that match; fewer than `limit` where they would exceed `maxBytes` of
 * JSON or the search takes too long.
 * @param generation generation of the site (site-generation.ts)
 * @throws InvalidCursor
 */
export async function searchComments(
  db: Database,
  generation: string,
  search: CommentSearch,
  yieldIfDue: YieldIfDue,
): Promise<HitPage> {
  const { sort, after } = search;
  const begin = after === undefined ? firstOf(search) : parseCursor(generation, sort, after);
  const { hits, next, isLate } = await findHits(db, search, begin, yieldIfDue);
  const found = await loadComments(db, hits);
  const loaded: { hit: SearchHit; position: Position; bytes: number }[] = [];
  const some = firstWithin(pageChars, found, ({ comment }) => comment.comment.length);
  for (const { comment, channel, query, position } of some) {
    const hit = { comment, channel, snippet: findSnippet(comment, query) };
    loaded.push({ hit, position, bytes: Buffer.byteLength(JSON.stringify(hit)) });
    await yieldIfDue();
  }
  const page = firstWithin(search.maxBytes, loaded, ({ bytes }) => bytes);
  const last = page.at(-1);
  const end = last && page.length < found.length ? last.position : next;
  return {
    data: page.map(({ hit }) => hit),
    next: end && formatCursor(generation, sort, end),
    isLate,
  };
}

function firstOf({ sort, query, isLoose }: CommentSearch): Position {
  if (isLoose) return { tier: 'loose' };
  return { tier: sort === 'relevance' && query.required.length > 1 ? 'phrase' : 'exact' };
}

/** Finds the hits of one page, of one tier after the other. */
async function findHits(
  db: Database,
  search: CommentSearch,
  begin: Position,
  yieldIfDue: YieldIfDue,
): Promise<{ hits: Hit[]; next: Position | null; isLate: boolean }> {
  const { limit, isExact } = search;
  const hits: Hit[] = [];
  let exact: Candidate[] | undefined;
  for (let at = begin; ; ) {
    // Hits in a wider sense are found among the exact ones, which are fewer than ten.
    if (at.tier === 'wide') exact ??= await findExact(db, search, yieldIfDue);
    const shown = new Set(exact?.map(({ doc }) => doc));
    // Request one more, to know whether another page follows.
    const wanted = limit + 1 - hits.length + shown.size;
    const { found, rest, isLate, query, floor } = await findInTier(
      db,
      search,
      at,
      wanted,
      yieldIfDue,
    );
    for (const candidate of found) {
      if (shown.has(candidate.doc)) continue;
      hits.push({ ...candidate, query, position: { ...at, floor, before: candidate.doc } });
    }
    if (hits.length > limit) {
      return { hits: hits.slice(0, limit), next: hits[limit - 1]?.position ?? null, isLate };
    }
    if (rest !== null) return { hits, next: { ...at, floor, before: rest }, isLate };
    if (at.tier === 'phrase') {
      at = { tier: 'exact', floor };
      continue;
    }
    if (at.tier === 'wide' || at.tier === 'loose' || isExact) return { hits, next: null, isLate };
    exact = begin.before === undefined ? [...hits] : await findExact(db, search, yieldIfDue);
    if (exact.length >= fewHits) return { hits, next: null, isLate };
    at = { tier: 'wide' };
  }
}

interface FoundInTier extends Candidates {
  query: Query;
  floor: number | undefined;
}

async function findInTier(
  db: Database,
  search: CommentSearch,
  { tier, before, floor }: Position,
  limit: number,
  yieldIfDue: YieldIfDue,
): Promise<FoundInTier> {
  const { channelId, authorId } = search;
  const find = (
    query: Query,
    others: { limit: number; without?: { query: Query; from: number } },
  ) => findCandidates(db, { query, channelId, authorId, before, ...others }, yieldIfDue);
  const { query } = search;
  const phrase = { ...query, phrases: [...query.phrases, query.required] };
  if (tier === 'phrase') {
    const { found, rest, isLate } = await find(phrase, { limit: mostCandidates });
    // The next pages look no further than the first one did.
    const lowest = floor ?? rest ?? 0;
    const hits = found.filter(({ doc }) => doc >= lowest);
    return { found: hits, rest: null, isLate, query, floor: lowest };
  }
  if (tier === 'wide') {
    const wide = await widen(db, query);
    return { ...(await find(wide, { limit })), query: wide, floor };
  }
  if (tier === 'loose') {
    const loose = await loosen(db, query);
    const nothing = { found: [], rest: null, isLate: false };
    return { ...(loose ? await find(loose, { limit }) : nothing), query: loose ?? query, floor };
  }
  const without = floor === undefined ? {} : { without: { query: phrase, from: floor } };
  return { ...(await find(query, { limit, ...without })), query, floor };
}

async function findExact(
  db: Database,
  { query, channelId, authorId }: CommentSearch,
  yieldIfDue: YieldIfDue,
): Promise<Candidate[]> {
  const search = { query, channelId, authorId, limit: fewHits };
  return (await findCandidates(db, search, yieldIfDue)).found;
}
