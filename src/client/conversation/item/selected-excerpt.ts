import { useEffect, useEffectEvent, useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import { wholeCharacters } from '../../../shared/whole-characters.ts';

/**
 * The selected part of a comment as an excerpt for a reply; '' unless the selection is within the comment's element
 * and occurs in its text. A longer selection is truncated.
 */
export function findExcerpt(item: Element, text: string): string {
  const selection = getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || selection.isCollapsed) return '';
  if (!anchorNode || !focusNode || !item.contains(anchorNode) || !item.contains(focusNode))
    return '';
  const selected = selection.toString().trim().normalize('NFC');
  const excerpt = wholeCharacters(selected, limits.replyExcerptChars).trim();
  return text.includes(excerpt) ? excerpt : '';
}

/** The number of the comment in which an excerpt is selected; null without a selection. */
export function useSelectedComment(comments: Comment[]): number | null {
  const [selected, setSelected] = useState<number | null>(null);
  const update = useEffectEvent(() => {
    const isSelected = ({ number, comment }: Comment) => {
      const item = document.getElementById(commentAnchor(number));
      return item !== null && findExcerpt(item, comment) !== '';
    };
    const hasSelection = getSelection()?.isCollapsed === false;
    setSelected((hasSelection && comments.find(isSelected)?.number) || null);
  });
  useEffect(() => {
    const listener = () => update();
    document.addEventListener('selectionchange', listener);
    return () => document.removeEventListener('selectionchange', listener);
  }, []);
  return selected;
}
