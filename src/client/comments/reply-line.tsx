import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import styles from './comment-item.module.css';
import { readingTexts } from './reading-texts.ts';

interface ReplyLineProps {
  comment: Comment;
  /** Number of the comment that it answers. */
  replyTo: number;
  isBelowOriginal: boolean;
}

/** Says which comment this one answers, with the excerpt unless it is the comment above. */
export function ReplyLine({ comment, replyTo, isBelowOriginal }: ReplyLineProps) {
  const { channelId, replyAutor, replyExcerpt } = comment;
  if (!replyAutor) return <p className={styles.reply}>{texts.replyToDeleted}</p>;
  return (
    <p className={styles.reply}>
      <Link href={commentLink(channelId, replyTo)}>
        {readingTexts.replyTo} <bdi>{replyAutor}</bdi>
        {replyExcerpt && !isBelowOriginal && (
          <>
            {' · '}
            <q>{replyExcerpt}</q>
          </>
        )}
      </Link>
    </p>
  );
}
