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

/** Prefixes of so many characters are in SQLite's index; shorter ones begin too many words. */
const indexedPrefix = 3;

/** Whether a token is searched for as the beginning of others, and not as a whole word. */
export function isLongPrefix({ token, isPrefix }: Match): boolean {
  return isPrefix && [...token].length >= indexedPrefix;
}

/** Whether SQLite collects all that begins with it before it finds anything. */
export function isCollected({ token, isPrefix }: Match): boolean {
  return isPrefix && [...token].length > indexedPrefix;
}
