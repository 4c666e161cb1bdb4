/** Made at its first use, which takes a phone 100 ms. */
let segmenter: Intl.Segmenter | undefined;

/**
 * The beginning of a text: at most `maxChars` code points, ending with a character as people see it, which may consist
 * of several.
 */
export function wholeCharacters(text: string, maxChars: number): string {
  // A code point has one code unit at least.
  if (text.length <= maxChars) return text;
  segmenter ??= new Intl.Segmenter('es');
  let count = 0;
  let end = 0;
  // A code point has two code units at most. The character that begins within them may be cut: it is left out.
  const read = text.slice(0, 2 * maxChars + 2);
  for (const { segment } of segmenter.segment(read)) {
    for (const _ of segment) count++;
    if (count > maxChars) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
