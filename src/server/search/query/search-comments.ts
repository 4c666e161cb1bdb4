import { isDeepStrictEqual } from 'node:util';
import { commentId } from '../../../shared/comment-id.ts';
import type { SearchHit, SearchOrder } from '../../../shared/search.ts';
import { completeComments, isAt } from '../../comments/comment-details.ts';
import { firstWithin, selectComments } from '../../comments/comment-rows.ts';
import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { authorToken } from '../index/comment-tokens.ts';
import { firstDoc } from '../index/index-docs.ts';
import { bareTokens, isOptional, isQuestionWord, rootTokens } from '../index/wide-words.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import type { Scope } from './find-docs.ts';
import { findNamed } from './find-people.ts';
import type { Query } from './parse-query.ts';
import { formatCursor, type Position, parseCursor, type Tier } from './search-cursors.ts';
import { findSnippet } from './snippet.ts';
import type { Match } from './terms.ts';

/** With fewer exact hits than this, those in a wider sense follow. */
const fewHits = 10;
/** Hits in which the words follow each other that come first in the order by relevance. */
const mostPhrases = 20;
/** People of one name whose comments are found by it; of more, only the words of texts are. */
const mostNamed = 20;
/** Words of a question of which a text may lack one. */
const mostLoose = 5;
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
  const { hits, next, isLate } = await findHits(db, generation, search, yieldIfDue);
  const some = firstWithin(pageChars, hits, ({ text }) => text.length);
  const rows = some.length > 0 ? await selectComments(db).where(isAt(some)).execute() : [];
  const comments = new Map((await completeComments(db, rows)).map((each) => [each.id, each]));
  const loaded: { hit: SearchHit; position: Position; bytes: number }[] = [];
  for (const { channel_id: _id, channelName: name, number, query, position } of some) {
    const comment = comments.get(commentId(_id, number));
    // It may have been deleted since it was found.
    if (!comment) continue;
    const hit = { comment, channel: { _id, name }, snippet: findSnippet(comment, query) };
    loaded.push({ hit, position, bytes: Buffer.byteLength(JSON.stringify(hit)) });
    await yieldIfDue();
  }
  const page = firstWithin(search.maxBytes, loaded, ({ bytes }) => bytes);
  const isShort = page.length < loaded.length || some.length < hits.length;
  const end = isShort ? (page.at(-1) ?? some.at(-1))?.position : next;
  return {
    data: page.map(({ hit }) => hit),
    next: end ? formatCursor(generation, search.sort, end) : null,
    isLate,
  };
}

/** Finds the hits of one page, of one tier after the other. */
async function findHits(
  db: Database,
  generation: string,
  search: CommentSearch,
  yieldIfDue: YieldIfDue,
): Promise<{ hits: Hit[]; next: Position | null; isLate: boolean }> {
  const { sort, after, channelId, authorId, limit } = search;
  const begin = after === undefined ? undefined : parseCursor(generation, sort, after);
  const top = begin?.top ?? (await firstDoc(db, 'desc')) + 1;
  const hits: Hit[] = [];
  let shown = begin?.shown ?? [];
  let wide: Query | undefined;
  let last: Query | undefined;
  for (const tier of tiersOf(search, begin?.tier)) {
    // Request one more, to know whether another page follows.
    const wanted = limit + 1 - hits.length;
    const left = tier === 'phrase' ? mostPhrases - shown.length : wanted;
    const isWide = tier === 'wide' || tier === 'bare';
    if (left <= 0 || (isWide && shown.length >= fewHits)) continue;
    if (isWide || tier === 'loose') wide ??= await widen(db, search.query);
    const query = queryOf(tier, search.query, wide);
    if (!query || isDeepStrictEqual(query.required, last?.required)) continue;
    last = tier === 'phrase' ? undefined : query;
    const before = tier === begin?.tier ? begin.before : top;
    const { found, rest, isLate } = await findCandidates(
      db,
      { query, channelId, authorId, before, without: shown, limit: Math.min(wanted, left) },
      yieldIfDue,
    );
    const mostShown = tier === 'phrase' ? mostPhrases : Math.max(fewHits, shown.length);
    for (const candidate of found) {
      if (shown.length < mostShown) shown = [...shown, candidate.doc];
      const position = { tier, before: candidate.doc, top, shown };
      hits.push({ ...candidate, query: tier === 'phrase' ? search.query : query, position });
    }
    if (hits.length > limit) {
      return { hits: hits.slice(0, limit), next: hits[limit - 1]?.position ?? null, isLate };
    }
    // Older phrases come where they are among the others.
    if (rest !== null && tier !== 'phrase') {
      return { hits, next: { tier, before: rest, top, shown }, isLate };
    }
  }
  return { hits, next: null, isLate: false };
}

function tiersOf(
  { sort, query, isExact, isLoose }: CommentSearch,
  begin: Tier | undefined,
): Tier[] {
  if (isLoose || begin === 'loose') return ['loose'];
  const isByPhrase = sort === 'relevance' && query.required.length > 1;
  const tiers: Tier[] = isByPhrase ? ['phrase', 'exact'] : ['exact'];
  if (!isExact) tiers.push('wide', 'bare');
  return begin ? tiers.slice(tiers.indexOf(begin)) : tiers;
}

/** The query of one tier; undefined where it has none. @param wide returned by `widen` */
function queryOf(tier: Tier, query: Query, wide = query): Query | undefined {
  if (tier === 'phrase') return { ...query, phrases: [...query.phrases, query.required] };
  if (tier === 'exact') return query;
  if (tier === 'wide') return wide;
  const required = wide.words.map(({ form, written, isInPhrase }, index) => {
    const bare = isInPhrase ? [] : bareTokens(form, written);
    return [...new Set([...(wide.required[index] ?? []), ...bare])];
  });
  if (tier === 'bare') return { ...wide, required };
  const isQuestion = query.words.some(({ form }) => isQuestionWord(form));
  if (!isQuestion || required.length < 2 || required.length > mostLoose) return undefined;
  // One of each two words, which is all but one of all words.
  const pairs = required.flatMap((one, index) =>
    required.slice(index + 1).map((other) => [...one, ...other]),
  );
  return { ...wide, required: pairs };
}

/**
 * The query for comments that a query finds only in a wider sense: with other forms of its words, without its function
 * words, and with a name in it as that of the author. Phrases stay as they are.
 */
async function widen(db: Database, query: Query): Promise<Query> {
  // The last word of `vitamina A` is no function word.
  const meant = query.words.filter(
    ({ form, isInPhrase }, index) =>
      isInPhrase || !isOptional(form) || (form.length === 1 && index === query.words.length - 1),
  );
  const words = meant.length > 0 ? meant : query.words;
  const required: Match[][] = [];
  for (const { form, written, entry, isInPhrase } of words) {
    const named = isInPhrase ? [] : await findNamed(db, [form], mostNamed + 1);
    const authors = named.length > mostNamed ? [] : named.map(authorToken);
    const others = isInPhrase ? [] : rootTokens(form, written);
    required.push([...new Set([...entry, ...others, ...authors])]);
  }
  return { ...query, words, required };
}
