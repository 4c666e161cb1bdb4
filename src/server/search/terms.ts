import type { Match } from './parse-query.ts';

/** What the index is asked for. */
export interface Terms {
  /** Each entry must occur: any one of its matches. */
  required: Match[][];
  /** Tokens that must not occur. */
  excluded: string[];
}

/** Letters, digits and what lies beyond ASCII; place tokens have an underscore. */
const safe = /^[_0-9a-z\u0080-\uffff]+$/;

/**
 * A token that stands for itself between quotes in the search languages of both engines.
 * @throws Error for any other
 */
export function checkedToken(token: string): string {
  if (!safe.test(token)) throw new Error(`not a token: ${JSON.stringify(token)}`);
  return token;
}

/**
 * Whether a token is searched for as the beginning of others: shorter ones than three characters are
 * whole words, since too many words begin with them.
 */
export function isLongPrefix({ token, isPrefix }: Match): boolean {
  return isPrefix && [...token].length >= 3;
}
