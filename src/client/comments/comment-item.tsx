import { memo } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { Avatar } from '../components/avatar.tsx';
import { LinkedText } from '../components/linked-text.tsx';
import { TimeAgo } from '../components/time-ago.tsx';
import styles from './comment-list.module.css';

export const commentElementId = (id: string) => `comentario-${id}`;

export const CommentItem = memo(function CommentItem({ comment }: { comment: Comment }) {
  const { id, autor, autorImg, createdAt } = comment;
  return (
    <li className={styles.comment} id={commentElementId(id)} tabIndex={-1}>
      <Avatar img={autorImg} size={42} />
      <div className={styles.body}>
        <p className={styles.byline}>
          <bdi className={styles.autor}>{autor}</bdi>{' '}
          <TimeAgo className={styles.time} iso={createdAt} />
        </p>
        <LinkedText text={comment.comment} />
      </div>
    </li>
  );
});
