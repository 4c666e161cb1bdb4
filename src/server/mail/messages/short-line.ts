/** Matches a letter that is not Latin, which may be written from right to left. */
const otherLetter = /[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u;

/**
 * Puts a text on one line, without bidirectional control characters, truncated at a grapheme. Mail programs would
 * decode `=?` in a subject, so the pair is separated.
 */
export function shortLine(text: string, maxGraphemes: number): string {
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

/**
 * A name for a Spanish text. A name with non-Latin letters is isolated, so that it does not set the direction of the
 * text around it.
 */
export function shortName(name: string, maxGraphemes: number): string {
  const clean = shortLine(name, maxGraphemes);
  return otherLetter.test(clean) ? `\u2068${clean}\u2069` : clean;
}
