import type { Database } from '../database/tables.ts';
import { findForms } from '../search-index/words.ts';

/** At most this many names that match the first word of a search are compared with the whole search. */
const comparedWords = 1000;
/** Sorts after any continuation of a prefix. */
export const lastCharacter = '\u{10ffff}';

/**
 * Ids of accounts with a word in their name that starts with the first word of a key. Compare the rest with
 * `hasWordFrom`.
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

/** Matches every position that is not inside a word. */
const wordStart = /(?<![\p{L}\p{N}])/gu;

/** Whether the key matches a name from the start of any of its words. */
export const hasWordFrom = (key: string, { name_key }: { name_key: string | null }): boolean =>
  [...(name_key ?? '').matchAll(wordStart)].some(({ index }) => name_key?.startsWith(key, index));
