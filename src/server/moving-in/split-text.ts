import { wholeCharacters } from '../../shared/whole-characters.ts';

/**
 * Splits a text into parts of at most `maxChars` code points: after a line or a word where one ends in the second half of
 * a part, otherwise between characters.
 */
export function splitText(text: string, maxChars: number): string[] {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const whole = wholeCharacters(rest, maxChars);
    if (whole.length === rest.length) return [...parts, rest];
    // A chain of joined emojis may be one character of any length.
    const most =
      whole === '' ? [...rest.slice(0, 2 * maxChars)].slice(0, maxChars).join('') : whole;
    const ends = [most.lastIndexOf('\n'), most.lastIndexOf(' ')];
    const end = ends.find((at) => at > most.length / 2) ?? most.length;
    parts.push(most.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
}
