import { sql } from 'kysely';
import type { StoredText } from './stored-text.ts';

/** A comment's text followed by the words of what it carries. */
export const withCarried = (text: StoredText, carried: string) =>
  (carried === '' ? text : `${text}\n\n${carried}`.trimStart()) as StoredText;

/** A comment's text without the words of what it carries, if it ends with these. */
export function withoutCarried(text: StoredText, carried: string): StoredText {
  if (text === carried) return '' as StoredText;
  const end = `\n\n${carried}`;
  return carried && text.endsWith(end) ? (text.slice(0, -end.length) as StoredText) : text;
}

/** Like `withCarried`, of a row of this table or view. */
export const wholeText = (table: string) =>
  sql<StoredText>`case when ${sql.ref(`${table}.carried_text`)} = '' then ${sql.ref(`${table}.text`)}
    when ${sql.ref(`${table}.text`)} = '' then ${sql.ref(`${table}.carried_text`)}
    else ${sql.ref(`${table}.text`)} || ${sql.lit('\n\n')} || ${sql.ref(`${table}.carried_text`)} end`;
