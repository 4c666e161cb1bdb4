import { isDeepStrictEqual } from 'node:util';
import { commentId } from '../../../shared/comment-id.ts';
import type { SearchHit, SearchOrder } from '../../../shared/search.ts';
import {
  completeComments,
  firstWithin,
  isAt,
  selectComments,
} from '../../comments/comment-details.ts';
import { InvalidCursor } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { authorToken } from '../index/index-comment.ts';
import { wideTokens } from '../index/word-tokens.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import { docsEnd, type Scope } from './find-docs.ts';
import { findNamedEach } from './find-people.ts';
import type { Query } from './parse-query.ts';
import { meantWords, withMissing } from './partial-query.ts';
import { findSnippet } from './snippet.ts';

/**
 * Kinds of hits, in their order: exact ones where the words follow each other, all exact ones, those with other words of
 * the same root, and where there are no others those that lack one word, then two.
 */
const tiers = ['phrase', 'exact', 'wide', 'one', 'two'] as const;
type Tier = (typeof tiers)[number];
/** How many words the hits of a tier lack. */
const missingIn: Partial<Record<Tier, number>> = { one: 1, two: 2 };

/** With fewer exact hits than this, those in a wider sense follow. */
const fewHits = 10;
/** People of one name whose comments are found by it; of more, only the words of texts are. */
const mostNamed = 20;
/**
 * UTF-16 code units of the texts on one page, beyond which it is short: finding the words to mark takes a
 * millisecond for 2,000 to 20,000 of them.
 */
const pageChars = 100_000;

export interface CommentSearch extends Scope {
  query: Query;
  /** Whether hits in a wider sense are left out. */
  isExact: boolean;
  /** Whether texts that lack a word or two are searched for, and no others. */
  isPartial?: boolean;
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

/** Position of a page of hits. */
interface Position {
  tier: Tier;
  /** The page begins below this doc. */
  before: number;
  /** How many exact hits there were, at most `fewHits`. */
  exact: number;
  /** From this doc up, exact hits where the words follow each other were shown before the others. */
  phrasesFrom: number;
}

/** A candidate with the query that found it and the position after it. */
interface Hit extends Candidate {
  query: Query;
  position: Position;
}

/**
 * Returns one page of visible comments that match; fewer than `limit` where they would exceed `maxBytes` of
 * JSON.
 * @param generation generation of the site (site-generation.ts)
 * @throws InvalidCursor
 */
export async function searchComments(
  db: Database,
  generation: string,
  search: CommentSearch,
): Promise<HitPage> {
  const { hits, next } = await findHits(db, generation, search);
  const some = firstWithin(pageChars, hits, ({ text }) => text.length);
  const rows = some.length > 0 ? await selectComments(db).where(isAt(some)).execute() : [];
  const comments = new Map((await completeComments(db, rows)).map((each) => [each.id, each]));
  const loaded: { hit: SearchHit; position: Position; bytes: number }[] = [];
  for (const { channel_id: _id, channelName: name, number, query, position } of some) {
    const comment = comments.get(commentId(_id, number));
    // It may have been deleted since it was found.
    if (!comment) continue;
    const snippet = findSnippet(comment, query);
    const hit = { comment, channel: { _id, name }, snippet, missing: query.missing ?? 0 };
    loaded.push({ hit, position, bytes: Buffer.byteLength(JSON.stringify(hit)) });
  }
  const page = firstWithin(search.maxBytes, loaded, ({ bytes }) => bytes);
  const isShort = page.length < loaded.length || some.length < hits.length;
  const end = isShort ? (page.at(-1) ?? some.at(-1))?.position : next;
  return {
    data: page.map(({ hit }) => hit),
    next: end ? formatCursor(generation, search.sort, end) : null,
  };
}

/** Finds the hits of one page, of one tier after the other. */
async function findHits(
  db: Database,
  generation: string,
  search: CommentSearch,
): Promise<{ hits: Hit[]; next: Position | null }> {
  const { query, channelId, authorId, onlyNewest, limit } = search;
  const tiers = tiersOf(search);
  const begin = parseCursor(generation, search, tiers);
  let { exact, phrasesFrom } = begin;
  const hits: Hit[] = [];
  let wide: Query | undefined;
  for (const tier of tiers.slice(tiers.indexOf(begin.tier))) {
    const isExact = tier === 'phrase' || tier === 'exact';
    if (!isExact && exact >= fewHits) break;
    if (tier in missingIn && !(begin.tier in missingIn)) break;
    if (!isExact) wide ??= await widen(db, query);
    const asked = queryOf(tier, query, wide);
    if (!asked) continue;
    const before = tier === begin.tier ? begin.before : docsEnd;
    // Request one more, to know whether another page follows.
    const scope = { channelId, authorId, onlyNewest };
    const wanted = { ...scope, query: asked, before, limit: limit + 1 - hits.length };
    const withoutPhrase = { ...asked, excludedPhrases: [...asked.excludedPhrases, query.required] };
    const { found, rest } = await findCandidates(db, wanted, (doc) =>
      tier === 'exact' && doc >= phrasesFrom ? withoutPhrase : asked,
    );
    for (const candidate of found) {
      if (isExact) exact = Math.min(exact + 1, fewHits);
      const position = { tier, before: candidate.doc, exact, phrasesFrom };
      hits.push({ ...candidate, query: tier === 'phrase' ? query : asked, position });
    }
    if (hits.length > limit) {
      return { hits: hits.slice(0, limit), next: hits[limit - 1]?.position ?? null };
    }
    // Older phrases come where they are among the others.
    if (tier === 'phrase') phrasesFrom = rest ?? 0;
    else if (rest !== null) {
      return { hits, next: { tier, before: rest, exact, phrasesFrom } };
    }
  }
  return { hits, next: null };
}

function tiersOf({ sort, query, isExact, isPartial, after }: CommentSearch): Tier[] {
  if (isPartial) return ['one', 'two'];
  const isByPhrase = sort === 'relevance' && query.required.length > 1;
  const tiers: Tier[] = isByPhrase ? ['phrase', 'exact'] : ['exact'];
  if (!isExact) tiers.push('wide');
  if (!isExact && after !== undefined) tiers.push('one', 'two');
  return tiers;
}

/**
 * The query of one tier, without the hits of the tier before; undefined where it finds nothing else.
 * @param wide returned by `widen`
 */
function queryOf(tier: Tier, query: Query, wide = query): Query | undefined {
  if (tier === 'phrase') return { ...query, phrases: [...query.phrases, query.required] };
  if (tier === 'exact') return query;
  if (tier === 'wide') return isDeepStrictEqual(wide.required, query.required) ? undefined : wide;
  return withMissing(query, wide, missingIn[tier] ?? 0);
}

/**
 * The query for comments that a query finds only in a wider sense: with other forms of its words, without its
 * function words, and with a name in it as that of the author. Phrases stay as they are.
 */
export async function widen(db: Database, query: Query): Promise<Query> {
  const words = meantWords(query);
  const single = words.flatMap(({ form, isInPhrase }) => (isInPhrase ? [] : [form]));
  const named = await findNamedEach(db, [...new Set(single)], mostNamed + 1);
  const required = words.map(({ form, written, entry, isInPhrase }) => {
    if (isInPhrase) return entry;
    const ids = named.get(form) ?? [];
    const authors = ids.length > mostNamed ? [] : ids.map(authorToken);
    return [...new Set([...entry, ...wideTokens(form, written), ...authors])];
  });
  return { ...query, words, required, except: { required: query.required } };
}

/** Cursors begin with letters that those of the other order lack. */
function formatCursor(
  generation: string,
  sort: SearchOrder,
  { tier, before, exact, phrasesFrom }: Position,
): string {
  return `${generation}.${sort[0]}${tier[0]}${before}.${exact}.${phrasesFrom}`;
}

/** @throws InvalidCursor, also for a cursor of another kind of search or from before the site was restored */
function parseCursor(generation: string, { sort, after }: CommentSearch, tiers: Tier[]): Position {
  if (after === undefined) {
    return { tier: tiers[0] ?? 'exact', before: docsEnd, exact: 0, phrasesFrom: docsEnd };
  }
  const [, issued, order, letter, ...numbers] =
    /^([0-9a-f]{16})\.([a-z])([a-z])(\d{1,10})\.(\d{1,2})\.(\d{1,10})$/.exec(after) ?? [];
  const tier = tiers.find((one) => one[0] === letter);
  const [before = 0, exact = 0, phrasesFrom = 0] = numbers.map(Number);
  const isDoc = Math.max(before, phrasesFrom) <= docsEnd;
  if (!tier || issued !== generation || order !== sort[0] || !isDoc) throw new InvalidCursor();
  return { tier, before, exact, phrasesFrom };
}
