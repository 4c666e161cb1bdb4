import { parseLinkedNumber } from './comment-id.ts';

/** Selects a page of comments: after, before or around a number; without any, the first page. */
export interface CommentRange {
  after?: string;
  before?: string;
  /** First number of a group of ten, from `firstOfTen`. */
  around?: number;
}

/** Parses the query of a channel page's URL. `n` wins over `before`, and `before` over `after`. */
export function parseCommentRange(
  query: Partial<Record<'n' | 'before' | 'after', string | null>>,
): CommentRange {
  const { before, after } = query;
  const number = parseLinkedNumber(query.n);
  if (number !== undefined) return { around: firstOfTen(number) };
  if (before != null) return { before };
  return after == null ? {} : { after };
}

/**
 * Rounds a comment number down to the first of the ten that share a page (1 to 9, 10 to 19), so that links to all of
 * them request the same cached page.
 */
export function firstOfTen(number: number): number {
  return Math.max(1, number - (number % 10));
}
