import type { RawBuilder } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Word } from '../../search-index/words.ts';

/** A token, or with a final asterisk all tokens that begin with it. */
export type Match = string;

/** The tokens that the docs of an index query must and must not have. */
export interface Terms {
  /** For each entry, one of its matches must occur. */
  required: Match[][];
  /** Maximum number of entries without a match; none by default. */
  missing?: number;
  /** Further entries, none of which may be missing. */
  within?: Match[][];
  /** Tokens that must not occur. */
  excluded: string[];
  /** Excludes docs that have all of these entries. */
  except?: Match[][] | undefined;
}

export interface DocPage {
  /** Only docs below this one are found. */
  end: number;
  limit: number;
  /** Whether only the newest docs are searched on PostgreSQL. */
  onlyNewest?: boolean | undefined;
}

/** The search queries of one engine. */
export interface SearchQueries {
  /** Finds the highest docs that match. */
  findDocs: (db: Database, terms: Terms, page: DocPage) => Promise<number[]>;
  /** Which of these tokens occur in the index; of many tokens, perhaps only the first ones. */
  occurring: (db: Database, tokens: string[]) => Promise<string[]>;
  /** The comment `c` of each doc `d` in a channel `s`, for a join. */
  commentOfDoc: RawBuilder<unknown>;
  /**
   * Runs a search within a time limit. If a first page takes too long, it is limited to the newest comments. A later
   * page fails instead, because it would end the list, and can be requested again.
   * @throws DatabaseUnavailable
   */
  inTime: <T extends { isComplete: boolean }>(
    db: Database,
    find: (db: Database, onlyNewest: boolean) => Promise<T>,
    isFirst: boolean,
  ) => Promise<T>;
}

/** Length of the prefixes in SQLite's index. Shorter prefixes have too many words. */
const indexedPrefix = 3;
/** Letters, digits and characters beyond ASCII; tokens that are not words have an underscore. */
const safe = /^[_0-9a-z\u0080-\uffff]+$/;

/**
 * The prefix that a match stands for; undefined for a whole word, including a prefix that is too short.
 * @param least minimum length of the prefix
 */
export function prefixOf(match: Match, least = indexedPrefix): string | undefined {
  return match.endsWith('*') && [...match].length > least ? match.slice(0, -1) : undefined;
}

/**
 * Writes a match in an engine's search language.
 * @throws Error for a token that would need escaping there
 */
export function quoted(match: Match, quote: string, prefix: string): string {
  const token = match.replace(/\*$/, '');
  if (!safe.test(token)) throw new Error(`not a token: ${JSON.stringify(token)}`);
  return quote + token + quote + (prefixOf(match) === undefined ? '' : prefix);
}

/**
 * Joins the expressions of entries, up to `missing` of which may be absent: either the first is present and up to
 * `missing` of the others are absent, or up to `missing - 1` of the others are absent.
 * @param missing fewer than there are entries
 * @param and,or operators with spaces around them
 */
export function joinEntries(entries: string[], missing: number, and: string, or: string): string {
  if (missing === 0) return `(${entries.join(and)})`;
  const [first, ...others] = entries;
  if (missing === others.length) return `(${entries.join(or)})`;
  const withFirst = `(${first}${and}${joinEntries(others, missing, and, or)})`;
  return `(${withFirst}${or}${joinEntries(others, missing - 1, and, or)})`;
}

/** Whether one of the matches of an entry is the token of this word or a prefix of it. */
export function matchesWord(entry: Match[], { token }: Word): boolean {
  return entry.some((match) =>
    match.endsWith('*') ? token.startsWith(match.slice(0, -1)) : match === token,
  );
}

/** Returns the index, at or after `from`, of the first word of the phrase; -1 if it does not occur. */
export function findPhrase(phrase: Match[][], words: Word[], from = 0): number {
  for (let at = from; at + phrase.length <= words.length; at++) {
    const isHere = phrase.every((entry, index) => matchesWord(entry, words[at + index] as Word));
    if (isHere) return at;
  }
  return -1;
}
