/** A token, or every token that begins with it. */
export interface Match {
  token: string;
  isPrefix: boolean;
}

/** The words that the index is queried for. */
export interface Terms {
  /** For each entry, one of its matches must occur. */
  required: Match[][];
  /** Tokens that must not occur. */
  excluded: string[];
}

export interface FoundDocs {
  /** Numbers of `search_docs`, the highest (newest) first. Phrases are not checked. */
  docs: number[];
  /**
   * The search continues below this doc; null or 0 when nothing is left. Fewer docs than requested with some left means
   * that the search took too long.
   */
  rest: number | null;
}

export function exactly(token: string): Match {
  return { token, isPrefix: false };
}

/** Letters, digits and characters beyond ASCII; tokens of a comment's location have an underscore. */
const safe = /^[_0-9a-z\u0080-\uffff]+$/;

/**
 * Returns a token that needs no escaping between quotes in the search languages of both engines.
 * @throws Error for any other
 */
export function checkedToken(token: string): string {
  if (!safe.test(token)) throw new Error(`not a token: ${JSON.stringify(token)}`);
  return token;
}

/** Length of the prefixes in SQLite's index; shorter ones begin too many words. */
const indexedPrefix = 3;

/** Whether a token is searched for as a prefix, and not as a whole word. */
export function isLongPrefix({ token, isPrefix }: Match): boolean {
  return isPrefix && [...token].length >= indexedPrefix;
}

/** Whether SQLite collects everything that begins with the token before it finds anything. */
export function isCollected({ token, isPrefix }: Match): boolean {
  return isPrefix && [...token].length > indexedPrefix;
}
