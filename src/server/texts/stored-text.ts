import type { Mention } from '../../shared/comments.ts';
import { erasedName } from '../../shared/erased-name.ts';
import type { StoredText } from '../database/content-tables.ts';

export type { StoredText };

/** A range of a plain text, in UTF-16 code units, that mentions an account. */
export type MentionRange = Omit<Mention, 'name'>;

/** Names by account id. Erased accounts are missing. */
export type Names = ReadonlyMap<string, string>;

const tokenStart = '\u0002';
const tokenEnd = '\u0003';
/** The group is the account's id. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: No text of a request has these two.
const token = /\u0002([^\u0002\u0003]*)\u0003/g;

/** @param mentions in the order of the text, within it and without overlaps */
export function toStoredText(text: string, mentions: readonly MentionRange[] = []): StoredText {
  let stored = '';
  let end = 0;
  for (const { start, length, accountId } of mentions) {
    stored += text.slice(end, start) + tokenStart + accountId + tokenEnd;
    end = start + length;
  }
  return (stored + text.slice(end)) as StoredText;
}

export function mentionedAccounts(texts: Iterable<StoredText | null>): Set<string> {
  const ids = new Set<string>();
  for (const text of texts) {
    for (const [, id = ''] of text?.matchAll(token) ?? []) ids.add(id);
  }
  return ids;
}

/** The text as people read it, and its mentions. A mention of an account without a name is shown as erased and not linked. */
export function readText(text: StoredText, names: Names): { text: string; mentions: Mention[] } {
  const { plain, ranges } = expand(text, names);
  const mentions = ranges.flatMap((range) => {
    const name = names.get(range.accountId);
    return name === undefined ? [] : [{ ...range, name }];
  });
  return { text: plain, mentions };
}

/** The text as people read it; '' for null. */
export function toPlainText(text: StoredText | null, names: Names): string {
  return text === null ? '' : expand(text, names).plain;
}

/** The text with names in place of tokens, and the ranges of the mentions. */
function expand(text: StoredText, names: Names): { plain: string; ranges: MentionRange[] } {
  // Most texts mention nobody.
  if (!text.includes(tokenStart)) return { plain: text, ranges: [] };
  const ranges: MentionRange[] = [];
  let plain = '';
  let end = 0;
  for (const { 0: found, 1: accountId = '', index } of text.matchAll(token)) {
    const shown = `@${names.get(accountId) ?? erasedName}`;
    plain += text.slice(end, index);
    ranges.push({ start: plain.length, length: shown.length, accountId });
    plain += shown;
    end = index + found.length;
  }
  return { plain: plain + text.slice(end), ranges };
}

/** Removes an incomplete token from the end of a truncated text. */
export function withoutCutMention(text: StoredText): StoredText {
  const start = text.lastIndexOf(tokenStart);
  return start > text.lastIndexOf(tokenEnd) ? (text.slice(0, start) as StoredText) : text;
}

/** Counts Unicode code points. A mention counts as one. */
export function countStoredChars(text: StoredText): number {
  let count = 0;
  for (const _ of text.replace(token, '@')) count++;
  return count;
}

/** The text to index for search: each mention is replaced by `@`, which separates words, since names are not searched. */
export function searchedText(text: StoredText): string {
  return text.replace(token, '@');
}
