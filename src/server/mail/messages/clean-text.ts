/** A letter other than Latin ones: it may be written from right to left. */
const otherLetter = /[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u;

/**
 * A text on one line, without marks that turn the direction of what follows, cut at a grapheme. Programs that read mail
 * would decode `=?` in a subject, so it is broken.
 */
export function cleanText(text: string, maxGraphemes: number): string {
  const line = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll('=?', '=\u2060?')
    .trim();
  const graphemes = new Intl.Segmenter('es')
    .segment(line)
    [Symbol.iterator]()
    .take(maxGraphemes + 1)
    .toArray();
  const last = graphemes.at(maxGraphemes);
  return last ? `${line.slice(0, last.index).trimEnd()}…` : line;
}

/** A name for a Spanish text, isolated from it unless it is in Latin letters: it does not set the direction of others. */
export function cleanName(name: string, maxGraphemes: number): string {
  const clean = cleanText(name, maxGraphemes);
  return otherLetter.test(clean) ? `\u2068${clean}\u2069` : clean;
}
