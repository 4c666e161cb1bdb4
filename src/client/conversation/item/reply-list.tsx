import type { Comment } from '../../../shared/comments.ts';
import { ownWords } from '../../../shared/own-words.ts';
import { commentLink } from '../../../shared/routes.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { Link } from '../../router/navigation.tsx';
import { texts } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import { carriedName } from '../carried-name.ts';
import { listReplies } from '../change-comment-calls.ts';
import { PagedList } from './paged-list.tsx';
import styles from './reply-list.module.css';

function Replies({ comment }: { comment: Comment }) {
  const { channelId, number, replyCount, autor } = comment;
  return (
    <PagedList
      // A new reply refetches the list.
      queryKey={['replies', channelId, number, replyCount]}
      load={(after, options) => request(listReplies, { channelId, number, after }, options)}
      label={texts.repliesTo(replyCount, autor)}
      href={commentLink(channelId, number)}
      moreLabel="Ver más respuestas"
    >
      {(reply) => (
        <li key={reply.id} className={`note row ${styles.reply}`}>
          <Link className={`plain ${styles.link}`} href={commentLink(channelId, reply.number)}>
            <bdi className={styles.autor}>{reply.autor}</bdi>
            <span className="clamped" dir="auto">
              {ownWords(reply.comment) || carriedName(reply)}
            </span>
          </Link>
          <Time iso={reply.createdAt} />
        </li>
      )}
    </PagedList>
  );
}

export const ReplyList = withQueries(Replies);
