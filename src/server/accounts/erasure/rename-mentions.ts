import { erasedName } from '../../../shared/erased-name.ts';
import { limits } from '../../../shared/limits.ts';

interface Range {
  /** In UTF-16 code units. */
  start: number;
  length: number;
}

const erasedMention = `@${erasedName}`;
/** A character that would continue a name. */
const continues = /^[\p{L}\p{M}\p{N}\u200d]/u;

/**
 * Replaces mentions in a text.
 * @param erased in the order of the text, without overlaps
 * @returns the new text, where a place in the old one is in it, and what the mentions said
 */
export function renameMentions(text: string, erased: Range[]) {
  const parts: string[] = [];
  let end = 0;
  for (const { start, length } of erased) {
    parts.push(text.slice(end, start), erasedMention);
    end = start + length;
  }
  parts.push(text.slice(end));
  const names = new Set(erased.map(({ start, length }) => text.slice(start, start + length)));
  /** Of a place within a replaced mention, its begin or its end. */
  const moved = (at: number, edge: 'begin' | 'end'): number => {
    let shift = 0;
    for (const { start, length } of erased) {
      if (at <= start) break;
      if (at < start + length) {
        return start + shift + (edge === 'begin' ? 0 : erasedMention.length);
      }
      shift += erasedMention.length - length;
    }
    return at + shift;
  };
  return { text: parts.join(''), moved, names };
}

/**
 * What a reply quotes from a text after mentions in it were replaced: the same part of the new text.
 * @returns null for what is quoted from an earlier text: it is not shown, and may end within a name
 */
export function renameInExcerpt(
  excerpt: string,
  oldText: string,
  renamed: ReturnType<typeof renameMentions>,
): string | null {
  if (renamed.text.includes(excerpt)) return excerpt;
  const at = oldText.indexOf(excerpt);
  if (at < 0) return null;
  const part = renamed.text.slice(
    renamed.moved(at, 'begin'),
    renamed.moved(at + excerpt.length, 'end'),
  );
  return [...part].slice(0, limits.replyExcerptChars).join('');
}

/** Replaces what mentions said wherever it occurs as a whole. @param names each begins with `@` */
export function replaceNames(text: string, names: Iterable<string>): string {
  let replaced = text;
  for (const name of names) {
    const [first = '', ...others] = replaced.split(name);
    replaced = others.reduce((before, after) => {
      const isPart = continues.test(after);
      return before + (isPart ? name : erasedMention) + after;
    }, first);
  }
  return replaced;
}
