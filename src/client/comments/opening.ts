import { wholeCharacters } from '../../shared/whole-characters.ts';

/** Lines at the beginning that quote somebody else. */
const quotedLines = /^(?:> [^\n]*(?:\n\s*|$))+/;
/** The mark of a quote and those of quotes in it. */
const quoteMarks = /^[>\s]+/;
/** At most 100 code points that end with a word. */
const wholeWords = /^[\s\S]{1,100}(?=\s|$)/u;

/**
 * The beginning of a comment, without what it quotes: the excerpt of a reply without a selection. Of a comment that
 * only quotes, it is from the first line, since the lines after it have marks.
 */
export function openingOf(text: string): string {
  const own = text.replace(quotedLines, '') || (text.replace(quoteMarks, '').split('\n')[0] ?? '');
  return (wholeWords.exec(own)?.[0] ?? wholeCharacters(own, 100)).trimEnd();
}
