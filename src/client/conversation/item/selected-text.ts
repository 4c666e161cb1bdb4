import { useEffect, useEffectEvent, useState } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import { commentAnchor } from '../../../shared/routes.ts';
import textStyles from '../text/comment-text.module.css';

/** The selected part of a comment's text; '' unless all that is selected is within the comment's element and its text. */
export function selectedText(item: Element): string {
  const selection = getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  if (!selection || selection.isCollapsed) return '';
  if (!anchorNode || !focusNode || !item.contains(anchorNode) || !item.contains(focusNode))
    return '';
  const selected = selection.toString().trim();
  // A selected paragraph may end at the beginning of the element below the text.
  const text = item.querySelector(`.${textStyles.text}`)?.textContent ?? '';
  return withoutSpaces(text).includes(withoutSpaces(selected)) ? selected : '';
}

/** A selection has line breaks between paragraphs, the content of an element has none. */
const withoutSpaces = (text: string) => text.replace(/\s/g, '');

/** The number of the comment of which a part is selected; null without a selection. */
export function useSelectedComment(comments: Comment[]): number | null {
  const [selected, setSelected] = useState<number | null>(null);
  const update = useEffectEvent(() => {
    const isSelected = ({ number }: Comment) => {
      const item = document.getElementById(commentAnchor(number));
      return item !== null && selectedText(item) !== '';
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
