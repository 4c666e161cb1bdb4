/** Created on first use, because that takes 100 ms on a phone. */
let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text: at most `maxChars` code points, ending with a whole character as people see it, which may
 * have several code points.
 */
export function wholeCharacters(text: string, maxChars: number): string {
  // A code point has at least one code unit.
  if (text.length <= maxChars) return text;
  segmenter ??= new Intl.Segmenter('es');
  let count = 0;
  let end = 0;
  // A code point has at most two code units. The last character within them may be cut, and is then left out.
  const read = text.slice(0, 2 * maxChars + 2);
  for (const { segment } of segmenter.segment(read)) {
    for (const _ of segment) count++;
    if (count > maxChars) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
