import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import styles from './comment-item.module.css';

interface ReplyLineProps {
  comment: Comment;
  isBelowOriginal: boolean;
}

/** Says which comment this one answers, and quotes it unless it is the one above. */
export function ReplyLine({ comment, isBelowOriginal }: ReplyLineProps) {
  const { channelId, replyTo, replyAutor, replyExcerpt } = comment;
  if (replyTo === null) return null;
  if (!replyAutor) return <p className={styles.reply}>{texts.replyToDeleted}</p>;
  return (
    <p className={styles.reply}>
      <Link href={commentLink(channelId, replyTo)}>
        {texts.replyTo} <bdi>{replyAutor}</bdi>
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
