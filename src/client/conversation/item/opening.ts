import { ownWordsStart } from '../../../shared/own-words.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';

/** The marks of a quotation, and of those in it. */
const quoteMarks = /^> [>\s]*/;
const nextQuote = /\n>(?:[ \n]|$)/;
/** At most 100 code points that end with a word. */
const wholeWords = /^[\s\S]{1,100}(?=\s|$)/u;

/**
 * The beginning of a comment, up to what it quotes next: the excerpt of a reply without a selection. Of a comment that
 * only quotes, it is from the first line.
 */
export function openingOf(text: string): string {
  const [own = ''] = text.slice(ownWordsStart(text)).replace(quoteMarks, '').split(nextQuote);
  return (wholeWords.exec(own)?.[0] ?? wholeCharacters(own, 100)).trimEnd();
}
