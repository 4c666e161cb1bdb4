import type { Comment } from '../../shared/comments.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { MoreLink } from '../components/more-link.tsx';
import { splitAtGap } from '../state/loaded-comments.ts';
import type { ChannelState } from '../state/state.ts';
import { texts } from '../texts.ts';
import { CommentItem } from './comment-item.tsx';
import styles from './comment-list.module.css';

interface CommentListProps {
  channel: ChannelState;
  loadMore: () => Promise<boolean>;
}

/** The loaded comments, a link that loads the next ones, and live comments from after the gap. */
export function CommentList({ channel, loadMore }: CommentListProps) {
  const { _id, moreAfter, comments } = channel;
  if (comments.length === 0 && !moreAfter) {
    return <p className={styles.none}>{texts.noComments}</p>;
  }
  const [loaded, live] = splitAtGap(channel);
  return (
    <>
      <Items comments={loaded} />
      {moreAfter && (
        <div className={styles.gap}>
          <MoreLink
            href={`${pageRoutes.channel(_id)}?${new URLSearchParams({ after: moreAfter })}`}
            label={texts.moreComments}
            failedText={texts.moreCommentsFailed}
            load={loadMore}
          />
        </div>
      )}
      <Items comments={live} />
    </>
  );
}

function Items({ comments }: { comments: Comment[] }) {
  if (comments.length === 0) return null;
  return (
    <ol className={styles.list}>
      {comments.map((comment) => (
        <CommentItem key={comment.id} comment={comment} />
      ))}
    </ol>
  );
}
