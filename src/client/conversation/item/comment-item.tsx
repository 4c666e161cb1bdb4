import { memo } from 'react';
import type { Comment } from '../../../shared/comments.ts';
import type { Decision } from '../../../shared/moderation.ts';
import { commentAnchor, commentLink } from '../../../shared/routes.ts';
import { focusElement } from '../../dom/focus-element.ts';
import { SubjectPanel, useSubjectPanel } from '../../moderation/subject-panel.tsx';
import { Link } from '../../router/navigation.tsx';
import { useStore } from '../../state/store-provider.tsx';
import { AutorLink, Avatar } from '../../ui/avatar.tsx';
import { accountPart } from '../../ui/loading/lazy-part.tsx';
import { PageBoundary } from '../../ui/loading/page-boundary.tsx';
import { RoleBadge } from '../../ui/role-badge.tsx';
import { Time } from '../../ui/time/time.tsx';
import { CommentText } from '../text/comment-text.tsx';
import { CommentImages } from './comment-images.tsx';
import styles from './comment-item.module.css';
import { CommentRow } from './comment-row.tsx';
import { GuestTools } from './guest-tools.tsx';
import { ReplyLine } from './reply-line.tsx';

const CommentTools = accountPart((parts) => parts.CommentTools, { isQuiet: true });

interface CommentItemProps {
  comment: Comment;
  /** Whether this comment replies to the comment directly above it. */
  isBelowOriginal: boolean;
  /** Id of the signed-in user; null for guests. */
  userId: string | null;
  /** Whether the signed-in user gave thanks for the comment. */
  isThanked: boolean;
  /** Whether the signed-in user is editing the comment, so that its text is in the composer. */
  isEdited: boolean;
  /** Whether part of the comment is selected, so that the signed-in user may quote it. */
  isSelected: boolean;
  isClosed: boolean;
}

export const CommentItem = memo(function CommentItem({
  comment,
  isBelowOriginal,
  userId,
  isThanked,
  isEdited,
  isSelected,
  isClosed,
}: CommentItemProps) {
  const { channelId, number, autor, autorImg, createdAt, editedAt } = comment;
  const { getState, dispatch } = useStore();
  /** Removes comments hidden by a decision at once, since there may be no live stream to report it. */
  const removeHidden = ({ action }: Decision) => {
    const shown = getState().channels.get(channelId)?.comments ?? [];
    const isHidden = (one: Comment) =>
      action === 'hideAll'
        ? one.autorId === comment.autorId
        : action === 'hide' && one.number === number;
    for (const one of shown.filter(isHidden))
      dispatch({ type: 'COMMENT_REMOVED', channelId, number: one.number });
  };
  const { open, panel } = useSubjectPanel({
    userId: userId ?? '',
    subject: { kind: 'comment', id: comment.id },
    name: autor,
    focus: () => focusElement(commentAnchor(number)),
    onDecided: removeHidden,
  });
  return (
    <li className={styles.comment} id={commentAnchor(number)} tabIndex={-1}>
      <Avatar img={autorImg} size={42} />
      <div className={styles.body}>
        <PageBoundary>
          <p className={styles.byline}>
            <AutorLink className={`plain ${styles.autor}`} id={comment.autorId} name={autor} />{' '}
            <RoleBadge role={comment.autorRole} />{' '}
            <Link className={`plain ${styles.time}`} href={commentLink(channelId, number)}>
              <Time iso={createdAt} form="day" />
            </Link>{' '}
            {editedAt && (
              <span className={styles.edited}>
                editado <Time iso={editedAt} />
              </span>
            )}
          </p>
          {comment.replyTo !== null && (
            <ReplyLine
              href={commentLink(channelId, comment.replyTo)}
              autor={comment.replyAutor}
              excerpt={isBelowOriginal ? '' : comment.replyExcerpt}
            />
          )}
          {!isEdited && (
            <>
              <CommentText text={comment.comment} mentions={comment.mentions} />
              {comment.images.length > 0 && <CommentImages images={comment.images} />}
            </>
          )}
          <CommentRow comment={comment} isThanked={isThanked}>
            {userId ? (
              <CommentTools
                comment={comment}
                userId={userId}
                isThanked={isThanked}
                isEdited={isEdited}
                isSelected={isSelected}
                isClosed={isClosed}
                onTask={open}
              />
            ) : (
              <GuestTools comment={comment} isClosed={isClosed} onReport={() => open('report')} />
            )}
          </CommentRow>
          <SubjectPanel {...panel} />
        </PageBoundary>
      </div>
    </li>
  );
});
