import { limits } from '../../shared/limits.ts';

/**
 * The selected part of a comment, to be quoted by a reply: '' unless the selection is within its
 * element and occurs in its text. Longer ones are cut.
 */
export function findExcerpt(item: Element, text: string): string {
  const selection = getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || selection.isCollapsed) return '';
  if (!anchorNode || !focusNode || !item.contains(anchorNode) || !item.contains(focusNode))
    return '';
  const selected = selection.toString().trim().normalize('NFC');
  const excerpt = [...selected].slice(0, limits.replyExcerptChars).join('').trim();
  return text.includes(excerpt) ? excerpt : '';
}
