import type { Database } from '../database/tables.ts';
import { findForms } from '../search/index/words.ts';

/** Words of names that begin with the first word of a search, whose names are compared with all of it. */
const comparedWords = 1000;
/** Sorts after any continuation of a prefix. */
export const lastCharacter = '\u{10ffff}';

/**
 * The ids of accounts in whose name a word begins with the first word of a key, for `hasWordFrom` to compare the rest.
 * @returns undefined for a key without a word
 */
export function idsByWord(db: Database, key: string) {
  const [first] = findForms(key);
  if (!first) return undefined;
  return db
    .selectFrom('account_names')
    .select('account_id')
    .where('word', '>=', first.form)
    .where('word', '<', first.form + lastCharacter)
    .orderBy('word')
    .orderBy('account_id')
    .limit(comparedWords);
}

/** Matches what is not within a word. */
const wordStart = /(?<![\p{L}\p{N}])/gu;

/** Whether what a name has from the beginning of a word on begins with the key. */
export const hasWordFrom = (key: string, { name_key }: { name_key: string | null }): boolean =>
  [...(name_key ?? '').matchAll(wordStart)].some(({ index }) => name_key?.startsWith(key, index));
