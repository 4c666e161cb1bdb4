import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { commentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { SearchHit, SearchOrder } from '../../../shared/search.ts';
import { InvalidCursor } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { carriedWords } from '../../forum/comments/carried-words.ts';
import { completeComments, selectComments } from '../../forum/comments/comment-details.ts';
import { isAt } from '../../forum/comments/comment-keys.ts';
import { authorToken } from '../../search-index/index-comment.ts';
import { wideTokens } from '../../search-index/stem.ts';
import type { StoredText } from '../../texts/stored-text.ts';
import { withCarried } from '../../texts/whole-text.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import { docsEnd, type Scope } from './find-docs.ts';
import { findNamedEach } from './find-people.ts';
import type { Query } from './parse-query.ts';
import { meantWords, withMissing } from './partial-query.ts';
import { findSnippet } from './snippet.ts';

/**
 * Kinds of hits. A search first has exact hits with consecutive words, then the other exact hits, then hits with
 * other words of the same root. If there are none, it has only hits that lack one word, or else two.
 */
const tiers = ['phrase', 'exact', 'wide', 'one', 'two'] as const;
type Tier = (typeof tiers)[number];
/** Number of words that the hits of a tier lack. */
const missingIn: Partial<Record<Tier, number>> = { one: 1, two: 2 };

/** With fewer exact hits than this, wide hits follow. */
const fewHits = 10;
/**
 * Maximum number of people whose comments are found by a shared name. Beyond it, the name is only searched for in
 * texts.
 */
const mostNamed = 20;

export interface CommentSearch extends Scope {
  query: Query;
  /** Whether wide hits are excluded. */
  isExact: boolean;
  /** Number of words that each hit lacks; none by default. */
  missing?: number;
  sort: SearchOrder;
  limit: number;
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
  /** Number of exact hits so far, at most `fewHits`. */
  exact: number;
  /** From this doc up, exact hits with consecutive words were shown before the others. */
  phrasesFrom: number;
}

/** A candidate with the query that found it and the position after it. */
interface Hit extends Candidate {
  query: Query;
  position: Position;
}

/**
 * Returns one page of visible comments that match.
 * @param epoch the site's epoch (site-epoch.ts)
 * @throws InvalidCursor
 */
export async function searchComments(
  db: Database,
  epoch: string,
  search: CommentSearch,
): Promise<HitPage> {
  const { hits, next } = await findHits(db, epoch, search);
  const rows = hits.length > 0 ? await selectComments(db).where(isAt(hits)).execute() : [];
  const comments = new Map((await completeComments(db, rows)).map((each) => [each.id, each]));
  const data: SearchHit[] = [];
  for (const { channel_id: _id, channelName: name, number, query } of hits) {
    const comment = comments.get(commentId(_id, number));
    // It may have been deleted since it was found.
    if (!comment) continue;
    // A snippet of a long text takes milliseconds.
    await yieldToEventLoop();
    const snippet = findSnippet({ ...comment, comment: shownText(comment) }, query);
    data.push({ comment, channel: { _id, name }, snippet, missing: query.missing ?? 0 });
  }
  return { data, next: next && formatCursor(epoch, search.sort, next) };
}

/** The text of a comment with the words of what it carries. */
const shownText = (comment: Comment) =>
  withCarried(comment.comment as StoredText, carriedWords(comment));

/** Finds the hits of one page: reads the tiers in order until the page is full. */
async function findHits(
  db: Database,
  epoch: string,
  search: CommentSearch,
): Promise<{ hits: Hit[]; next: Position | null }> {
  const { query, channelId, authorId, onlyNewest, limit } = search;
  const tiers = tiersOf(search);
  const begin = parseCursor(epoch, search, tiers);
  let { exact, phrasesFrom } = begin;
  const hits: Hit[] = [];
  let wide: Query | undefined;
  for (const tier of tiers.slice(tiers.indexOf(begin.tier))) {
    const isExact = tier === 'phrase' || tier === 'exact';
    if (!isExact && exact >= fewHits) break;
    if (tier in missingIn && tier !== begin.tier) break;
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
    // Older hits with consecutive words stay in order among the other exact hits.
    if (tier === 'phrase') phrasesFrom = rest ?? 0;
    else if (rest !== null) {
      return { hits, next: { tier, before: rest, exact, phrasesFrom } };
    }
  }
  return { hits, next: null };
}

function tiersOf({ sort, query, isExact, missing, after }: CommentSearch): Tier[] {
  if (missing) return [missing === 1 ? 'one' : 'two'];
  const isByPhrase = sort === 'relevance' && query.required.length > 1;
  const tiers: Tier[] = isByPhrase ? ['phrase', 'exact'] : ['exact'];
  if (!isExact) tiers.push('wide');
  if (!isExact && after !== undefined) tiers.push('one', 'two');
  return tiers;
}

/**
 * The query of one tier; undefined if the tier does not apply to the query.
 * @param wide returned by `widen`
 */
function queryOf(tier: Tier, query: Query, wide = query): Query | undefined {
  if (tier === 'phrase') return { ...query, phrases: [...query.phrases, query.required] };
  if (tier === 'exact') return query;
  if (tier === 'wide') return isDeepStrictEqual(wide.required, query.required) ? undefined : wide;
  return withMissing(query, wide, missingIn[tier] ?? 0);
}

/**
 * The query for comments that another query finds only when widened: with other forms of its words, without its
 * function words, or with one of its words as the author's name. Phrases stay as they are.
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
  return { ...query, words, required, except: query.required };
}

/** A cursor contains the first letter of its order, so that it is not valid for the other order. */
function formatCursor(
  epoch: string,
  sort: SearchOrder,
  { tier, before, exact, phrasesFrom }: Position,
): string {
  return `${epoch}.${sort[0]}${tier[0]}${before}.${exact}.${phrasesFrom}`;
}

/** @throws InvalidCursor, also for a cursor of another kind of search or one issued before the site was restored */
function parseCursor(epoch: string, { sort, after }: CommentSearch, tiers: Tier[]): Position {
  if (after === undefined) {
    return { tier: tiers[0] ?? 'exact', before: docsEnd, exact: 0, phrasesFrom: docsEnd };
  }
  const [, issued, order, letter, ...numbers] =
    /^([0-9a-f]{16})\.([a-z])([a-z])(\d{1,10})\.(\d{1,2})\.(\d{1,10})$/.exec(after) ?? [];
  const tier = tiers.find((one) => one[0] === letter);
  const [before = 0, exact = 0, phrasesFrom = 0] = numbers.map(Number);
  const isDoc = Math.max(before, phrasesFrom) <= docsEnd;
  if (!tier || issued !== epoch || order !== sort[0] || !isDoc) throw new InvalidCursor();
  return { tier, before, exact, phrasesFrom };
}
