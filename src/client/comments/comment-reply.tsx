import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor, commentLink } from '../../shared/routes.ts';
import { focusElement } from '../components/focus-element.ts';
import { Link } from '../router/navigation.tsx';
import { useStore } from '../state/store-provider.tsx';
import type { CommentDraft } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { CommentForm } from './comment-form.tsx';
import { commentTexts } from './comment-texts.ts';
import { restoreReloaded } from './scroll-position.ts';

interface CommentReplyProps {
  /** The comment that is answered. */
  comment: Comment;
  draft: CommentDraft;
  isOpen: boolean;
}

/** The form of a reply below its original, and afterwards a link to the reply. */
export function CommentReply({ comment, draft, isOpen }: CommentReplyProps) {
  const { channelId, number } = comment;
  const [sent, setSent] = useState<Comment | null>(null);
  const line = useRef<HTMLParagraphElement>(null);

  const { getState } = useStore();
  const onReopened = useEffectEvent(() => {
    if (isOpen) restoreReloaded(getState().channels.get(channelId)?.comments ?? []);
  });
  useLayoutEffect(() => onReopened(), []);

  const focusOriginal = () => focusElement(commentAnchor(number));
  const onSent = (reply: Comment | null) => {
    setSent(reply);
    requestAnimationFrame(() => {
      // The form stays, with the focus, when something was typed while the reply was sent.
      if (document.activeElement !== document.body) return;
      if (line.current) line.current.focus();
      else focusOriginal();
    });
  };
  if (isOpen) {
    return (
      <CommentForm
        channelId={channelId}
        draft={draft}
        original={comment}
        onSent={onSent}
        onCanceled={() => requestAnimationFrame(focusOriginal)}
      />
    );
  }
  return (
    sent && (
      <p ref={line} className={styles.sent} tabIndex={-1}>
        {commentTexts.replySent}{' '}
        <Link href={commentLink(channelId, sent.number)}>{commentTexts.showReply}</Link>
      </p>
    )
  );
}
