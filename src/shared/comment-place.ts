/** Which comments of a channel a page shows: those after, before or around one; without any, the first. */
export interface CommentPlace {
  after?: string;
  before?: string;
  /** First number of a ten, from `firstOfTen`. */
  around?: number;
}

const maxNumber = 0x7fffffff;

/**
 * The place that the query of a channel page's address asks for. `n` wins over `before`, and `before`
 * over `after`. @returns undefined when `n` cannot be the number of a comment
 */
export function parsePlace(
  query: Partial<Record<'n' | 'before' | 'after', string | null>>,
): CommentPlace | undefined {
  const { n, before, after } = query;
  if (n != null) {
    const number = /^[1-9]\d{0,9}$/.test(n) ? Number(n) : Number.POSITIVE_INFINITY;
    return number > maxNumber ? undefined : { around: firstOfTen(number) };
  }
  if (before != null) return { before };
  return after == null ? {} : { after };
}

/** The ten in which a number lies, from 1: pages around its numbers are the same page. */
export function firstOfTen(number: number): number {
  return Math.max(1, number - (number % 10));
}
