/** At most 100 code points that end with a word. */
const wholeWords = /^[\s\S]{1,100}(?=\s|$)/u;

/** The beginning of a comment: the excerpt of a reply without a selection. */
export const openingOf = (text: string): string =>
  (wholeWords.exec(text)?.[0] ?? [...text].slice(0, 100).join('')).trimEnd();
