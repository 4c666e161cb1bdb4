import type { SearchHit, SearchOrder } from '../../../shared/search.ts';
import { firstWithin } from '../../comments/comment-rows.ts';
import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { findCandidates } from './find-candidates.ts';
import { type Candidate, loadComments } from './load-docs.ts';
import type { Query } from './parse-query.ts';
import { rankCandidates } from './rank-candidates.ts';
import {
  formatNewestCursor,
  formatRankCursor,
  parseNewestCursor,
  parseRankCursor,
} from './search-cursors.ts';
import { findSnippet } from './snippet.ts';

/** Number of newest hits that are ranked by relevance. */
const rankedHits = 500;
/**
 * UTF-16 code units of the texts on one page, beyond which it is short: finding the words to mark takes a
 * millisecond for 2,000 to 20,000 of them.
 */
const pageChars = 100_000;

export interface CommentSearch {
  /** The text as typed. */
  q: string;
  query: Query;
  channelId?: string | undefined;
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
}

/** The hits of a page, each with the cursor after it. */
interface Page {
  candidates: Candidate[];
  cursorAfter: (doc: number) => string;
  /** Cursor after all hits; null when nothing is left. */
  next: string | null;
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
  const find = search.sort === 'new' ? findNewest : findRelevant;
  const { candidates, cursorAfter, next } = await find(db, generation, search, yieldIfDue);
  const found = await loadComments(db, candidates);
  const hits: (SearchHit & { doc: number; bytes: number })[] = [];
  for (const one of firstWithin(pageChars, found, ({ comment }) => comment.comment.length)) {
    const hit = { ...one, snippet: findSnippet(one.comment, search.query) };
    hits.push({ ...hit, bytes: Buffer.byteLength(JSON.stringify(hit)) });
    await yieldIfDue();
  }
  const page = firstWithin(search.maxBytes, hits, ({ bytes }) => bytes);
  const last = page.at(-1);
  return {
    data: page.map(({ comment, channel, snippet }) => ({ comment, channel, snippet })),
    next: last && page.length < found.length ? cursorAfter(last.doc) : next,
  };
}

async function findNewest(
  db: Database,
  generation: string,
  { query, channelId, limit, after }: CommentSearch,
  yieldIfDue: YieldIfDue,
): Promise<Page> {
  const before = after === undefined ? undefined : parseNewestCursor(generation, after).before;
  const cursorAfter = (doc: number) => formatNewestCursor(generation, { before: doc });
  // Request one more, to know whether another page follows.
  const wanted = { query, channelId, before, limit: limit + 1, withTexts: false };
  const { found, rest } = await findCandidates(db, wanted, yieldIfDue);
  const candidates = found.slice(0, limit);
  const end = found.length > limit ? candidates.at(-1)?.doc : rest;
  return { candidates, cursorAfter, next: end == null ? null : cursorAfter(end) };
}

async function findRelevant(
  db: Database,
  generation: string,
  { q, query, channelId, limit, after }: CommentSearch,
  yieldIfDue: YieldIfDue,
): Promise<Page> {
  const cursor = after === undefined ? undefined : parseRankCursor(generation, after);
  const { found, rest } = await findCandidates(
    db,
    { query, channelId, before: cursor?.before, limit: rankedHits, withTexts: true },
    yieldIfDue,
  );
  const newest = found[0];
  const before = cursor?.before ?? (newest ? newest.doc + 1 : 1);
  const atMs = cursor?.last?.atMs ?? newest?.createdAtMs ?? 0;
  const ranked = await rankCandidates(q, query, found, atMs, yieldIfDue);
  const last = cursor?.last;
  const left = last
    ? ranked.filter(
        ({ score, doc }) => score < last.score || (score === last.score && doc < last.doc),
      )
    : ranked;
  const page = left.slice(0, limit);
  const scores = new Map(page.map(({ doc, score }) => [doc, score]));
  const cursorAfter = (doc: number) =>
    formatRankCursor(generation, { before, last: { atMs, score: scores.get(doc) ?? 0, doc } });
  const end = page.at(-1);
  // Where texts are long, fewer hits are ranked together, and older ones separately.
  const older =
    rest === null || found.length === rankedHits
      ? null
      : formatRankCursor(generation, { before: rest, last: undefined });
  return {
    candidates: page,
    cursorAfter,
    next: end && left.length > limit ? cursorAfter(end.doc) : older,
  };
}
