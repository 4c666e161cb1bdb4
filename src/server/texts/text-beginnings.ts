import { type RawBuilder, sql } from 'kysely';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import { type Names, type StoredText, toPlainText, withoutCutMention } from './stored-text.ts';

/** Characters to read of each text of a list: reading many whole texts would use too much memory. */
const readChars = 1000;

/** Selects the first characters of a text, or all of a text that begins with a quotation: its own words come later. */
export const readBeginning = (column: string | RawBuilder<StoredText>, chars = readChars) => {
  const text = typeof column === 'string' ? sql.ref(column) : column;
  return sql<StoredText>`case when ${text} like '>%' then ${text}
    else substr(${text}, 1, ${chars}) end`;
};

/** The beginning of a text, including quotations, with names in place of mentions. It ends with `…` where more follows. */
export function beginning(text: StoredText, names: Names, maxChars = 300): string {
  const plain = toPlainText(withoutCutMention(text.slice(0, 2 * readChars) as StoredText), names);
  if (plain.length <= maxChars) return plain;
  // Whole words, because finding whole characters takes ten times as long; but a long word is cut.
  const end = plain.lastIndexOf(' ', maxChars);
  const shown = end > maxChars / 2 ? plain.slice(0, end) : wholeCharacters(plain, maxChars);
  return shown === plain ? plain : `${shown.trimEnd()}…`;
}
