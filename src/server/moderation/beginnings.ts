import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import { ownWords } from '../../shared/own-words.ts';
import { wholeCharacters } from '../../shared/whole-characters.ts';
import {
  type Names,
  type StoredText,
  toPlainText,
  withoutCutMention,
} from '../database/stored-text.ts';

/** Many whole texts would fill the memory. */
const readChars = 1000;

/** Selects the first 1,000 characters of a text, or all of one that quotes first: its own words come later. */
export const readBeginning = (column: string) => {
  const text = sql.ref(column);
  return sql<StoredText>`case when ${text} like '>%' then ${text}
    else substr(${text}, 1, ${sql.lit(readChars)}) end`;
};

/** The beginning of a text for a list, without what it quotes, as long as a quotation may be. */
export function beginning(text: StoredText, names: Names): string {
  const own = ownWords(text).slice(0, 2 * readChars) as StoredText;
  const plain = toPlainText(withoutCutMention(own), names);
  const shown = wholeCharacters(plain, limits.replyExcerptChars);
  return shown === plain ? plain : `${shown.trimEnd()}…`;
}
