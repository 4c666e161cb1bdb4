/** A line of a quote. */
const quotedLines = /^>(?: .*)?$/gm;
/** The quote marks of a line, including nested ones. */
const marks = /^>(?: [> ]*|$)/gm;
const ownLine = /^(?!>(?: |$))(?=.*\S)/m;

/** Start of the first line of a comment that is not a quote; 0 if all lines are quotes. */
export const ownWordsStart = (text: string): number => Math.max(0, text.search(ownLine));

/** A text whose quote marks are replaced by spaces, so that other text keeps its position. */
export const withoutMarks = (text: string): string =>
  text.replace(marks, (found) => ' '.repeat(found.length));

/**
 * A comment on one line, for places that show only its beginning: without its quotes, which could not be told from
 * the author's words there. A comment of only quotes keeps them, without their marks.
 */
export function ownWords(text: string): string {
  const shown = text.replace(quotedLines, '').trim() || withoutMarks(text).trim() || text;
  return shown.replace(/\s+/g, ' ').trim();
}
