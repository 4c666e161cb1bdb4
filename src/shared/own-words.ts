/** A line that quotes somebody else. */
const quotedLines = /^>(?: .*)?$/gm;
/** The marks of such a line, those of quotations in it too. */
const marks = /^>(?: [> ]*|$)/gm;
const ownLine = /^(?!>(?: |$))(?=.*\S)/m;

/** Where the first line of a comment that quotes nothing begins; 0 if all lines quote. */
export const ownWordsStart = (text: string): number => Math.max(0, text.search(ownLine));

/** A text with blanks in place of the marks of quotations: what follows them stays where it was. */
export const withoutMarks = (text: string): string =>
  text.replace(marks, (found) => ' '.repeat(found.length));

/**
 * A comment on one line, for where only its beginning is shown: without what it quotes, which nobody could tell from the
 * author's words there. Of a comment that only quotes, that, without marks.
 */
export function ownWords(text: string): string {
  const shown = text.replace(quotedLines, '').trim() || withoutMarks(text).trim() || text;
  return shown.replace(/\s+/g, ' ').trim();
}
