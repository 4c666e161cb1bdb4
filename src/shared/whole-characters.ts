/**
 * The beginning of a text: at most `maxChars` code points, ending with a character as people see it, which may consist
 * of several.
 */
export function wholeCharacters(text: string, maxChars: number): string {
  let count = 0;
  let end = 0;
  // A code point has two code units at most. The character that begins within them may be cut: it is left out.
  const read = text.slice(0, 2 * maxChars + 2);
  for (const { segment } of new Intl.Segmenter('es').segment(read)) {
    for (const _ of segment) count++;
    if (count > maxChars) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
