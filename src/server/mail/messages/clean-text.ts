const segmenter = new Intl.Segmenter('es');

/** A text on one line, without marks that turn the direction of what follows, cut at a grapheme. */
export function cleanText(text: string, maxGraphemes: number): string {
  const line = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
  const graphemes = segmenter
    .segment(line)
    [Symbol.iterator]()
    .take(maxGraphemes + 1)
    .toArray();
  const last = graphemes.at(maxGraphemes);
  return last ? `${line.slice(0, last.index).trimEnd()}…` : line;
}
