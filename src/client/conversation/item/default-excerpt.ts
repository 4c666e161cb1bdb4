import { ownWordsStart } from '../../../shared/own-words.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';

/** The mark of a quotation, including nested ones. */
const quoteMarks = /^> [>\s]*/;
const nextQuote = /\n>(?:[ \n]|$)/;
/** At most 100 code points, ending at a word boundary. */
const wholeWords = /^[\s\S]{1,100}(?=\s|$)/u;

/**
 * The beginning of a comment, up to its next quotation: the excerpt of a reply without a selection. If the comment
 * contains only quotations, the excerpt starts at its first line.
 */
export function openingOf(text: string): string {
  const [own = ''] = text.slice(ownWordsStart(text)).replace(quoteMarks, '').split(nextQuote);
  return (wholeWords.exec(own)?.[0] ?? wholeCharacters(own, 100)).trimEnd();
}
