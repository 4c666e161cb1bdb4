import { useEffectEvent, useLayoutEffect, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import { useStore } from '../state/store-provider.tsx';
import type { CommentDraft } from './comment-draft.ts';
import styles from './comment-form.module.css';
import { CommentForm } from './comment-form.tsx';
import { restoreReloaded } from './scroll-position.ts';

interface CommentReplyProps {
  /** The comment that is answered. */
  comment: Comment;
  draft: CommentDraft;
  isOpen: boolean;
}

/** The form of a reply below its original, and afterwards a link to the reply. */
export function CommentReply({ comment, draft, isOpen }: CommentReplyProps) {
  const { channelId } = comment;
  const [sent, setSent] = useState<Comment | null>(null);
  // A form that is open again is about another reply, which may be canceled.
  if (isOpen && sent) setSent(null);

  const { getState } = useStore();
  const onReopened = useEffectEvent(() => {
    if (isOpen) restoreReloaded(getState().channels.get(channelId)?.comments ?? []);
  });
  useLayoutEffect(() => onReopened(), []);

  if (isOpen) {
    return <CommentForm channelId={channelId} draft={draft} original={comment} onSent={setSent} />;
  }
  return (
    sent && (
      <p className={styles.sent} tabIndex={-1}>
        Respuesta enviada <Link href={commentLink(channelId, sent.number)}>Ver la respuesta</Link>
      </p>
    )
  );
}
