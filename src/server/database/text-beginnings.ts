import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import { type Names, type StoredText, toPlainText, withoutCutMention } from './stored-text.ts';

/** Characters to read of each text of a list: reading many whole texts would use too much memory. */
const readChars = 1000;

/** Selects the first 1,000 characters of a text, or all of a text that begins with a quotation: its own words come later. */
export const readBeginning = (column: string) => {
  const text = sql.ref(column);
  return sql<StoredText>`case when ${text} like '>%' then ${text}
    else substr(${text}, 1, ${sql.lit(readChars)}) end`;
};

/** The beginning of a text, including quotations, for a list that moderators read; at most as long as a reply excerpt. */
export function beginning(text: StoredText, names: Names): string {
  const plain = toPlainText(withoutCutMention(text.slice(0, 2 * readChars) as StoredText), names);
  const shown = wholeCharacters(plain, limits.replyExcerptChars);
  return shown === plain ? plain : `${shown.trimEnd()}…`;
}
