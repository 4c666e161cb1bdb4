import type { RawBuilder } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Word } from '../index/words.ts';

/** A token, or with an asterisk at its end all tokens that begin with it. */
export type Match = string;

/** The words that the index is queried for. */
export interface Terms {
  /** For each entry, one of its matches must occur. */
  required: Match[][];
  /** How many entries may have no match; none by default. */
  missing?: number;
  /** Entries of which none may be missing. */
  within?: Match[][];
  /** Tokens that must not occur. */
  excluded: string[];
  /** Leaves out what has all of these entries. */
  except?: Match[][] | undefined;
}

export interface DocPage {
  /** Higher than each doc. */
  end: number;
  limit: number;
  /** Whether only the newest docs are looked at on PostgreSQL. */
  onlyNewest?: boolean | undefined;
}

/** The queries of an engine. */
export interface SearchQueries {
  /** Finds the highest docs that match. */
  findDocs: (db: Database, terms: Terms, page: DocPage) => Promise<number[]>;
  /** Which of these tokens occur in the index, perhaps only the first ones of many. */
  occurring: (db: Database, tokens: string[]) => Promise<string[]>;
  /** The comment `c` of each doc `d` in a channel `s`, to be joined. */
  commentOfDoc: RawBuilder<unknown>;
  /**
   * Runs a search within its time, for a first page among the newest comments when it takes too long. A later page,
   * which would end the list, can be asked for again.
   * @throws DatabaseUnavailable
   */
  inTime: <T extends { isComplete: boolean }>(
    db: Database,
    find: (db: Database, onlyNewest: boolean) => Promise<T>,
    isFirst: boolean,
  ) => Promise<T>;
}

/** Length of the prefixes in SQLite's index; shorter ones begin too many words. */
const indexedPrefix = 3;
/** Letters, digits and characters beyond ASCII; tokens that are no words have an underscore. */
const safe = /^[_0-9a-z\u0080-\uffff]+$/;

/**
 * The prefix that a match stands for; undefined for a whole word, which a short prefix is taken for.
 * @param least length of the prefix
 */
export function prefixOf(match: Match, least = indexedPrefix): string | undefined {
  return match.endsWith('*') && [...match].length > least ? match.slice(0, -1) : undefined;
}

/**
 * Writes a match in the search language of an engine.
 * @throws Error for a token that would need escaping there
 */
export function quoted(match: Match, quote: string, prefix: string): string {
  const token = match.replace(/\*$/, '');
  if (!safe.test(token)) throw new Error(`not a token: ${JSON.stringify(token)}`);
  return quote + token + quote + (prefixOf(match) === undefined ? '' : prefix);
}

/**
 * Joins the expressions of entries, of which so many may be missing: what has the first lacks so many of the others, and
 * any other lacks one less of them.
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
