import { limits } from '../../shared/limits.ts';

/**
 * The selected part of a comment as an excerpt for a reply: '' unless the selection is within the comment's
 * element and occurs in its text. A longer selection is cut.
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
