import { bulletedText } from '../../../shared/clean-text.ts';

/** A range of a text, in UTF-16 code units, that mentions a person. */
export interface MentionRange {
  start: number;
  length: number;
  accountId: string;
}

/**
 * The ranges after `before` was edited into `after`: ranges behind the change move with their text; ranges whose own
 * text changed are dropped.
 */
export function followEdit(ranges: MentionRange[], before: string, after: string): MentionRange[] {
  if (ranges.length === 0 || before === after) return ranges;
  const longest = Math.min(before.length, after.length);
  let start = 0;
  while (start < longest && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < longest - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const end = before.length - same;
  const shift = after.length - before.length;
  return ranges.flatMap((range) => {
    if (range.start + range.length <= start) return [range];
    return range.start >= end ? [{ ...range, start: range.start + shift }] : [];
  });
}

/** A character that combines with the one before it: a mark, a skin tone or a joiner. */
const continues = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)/u;

/** The ranges in the text as the server stores it: cleaned, trimmed and in NFC. */
export function storedRanges(text: string, ranges: MentionRange[]): MentionRange[] {
  const stored = bulletedText(text).trim().normalize('NFC');
  return ranges.flatMap(({ start, length, accountId }) => {
    const name = text.slice(start, start + length).normalize('NFC');
    const before = bulletedText(text.slice(0, start)).trimStart().normalize('NFC').length;
    // Characters before or after the name may combine with it.
    const isIntact =
      name !== '' &&
      stored.startsWith(name, before) &&
      !continues.test(stored.slice(before + name.length, before + name.length + 2));
    return isIntact ? [{ start: before, length: name.length, accountId }] : [];
  });
}

/** The start of a name after an `@`: the position of the `@`, and at least two characters. */
export interface MentionQuery {
  start: number;
  prefix: string;
}

/** The mention being typed before the caret, or null. */
export function findMentionQuery(textBeforeCaret: string): MentionQuery | null {
  const tail = textBeforeCaret.slice(-maxQueryChars);
  const match = /(?:^|[^\p{L}\p{N}_.@])@([^\s@][^\n@]+)$/u.exec(tail);
  const prefix = match?.[1];
  if (!prefix) return null;
  return { start: textBeforeCaret.length - prefix.length - 1, prefix };
}

const maxQueryChars = 42;
