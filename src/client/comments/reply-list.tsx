import { useInfiniteQuery } from '@tanstack/react-query';
import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
import { answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { listReplies } from './comment-calls.ts';
import { readingTexts } from './reading-texts.ts';
import styles from './reply-list.module.css';

/** Links to the comments that answer one. */
export function ReplyList({ comment }: { comment: Comment }) {
  const { channelId, number, replyCount, autor } = comment;
  const { data, isError, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    // Another reply fetches the list again.
    queryKey: ['replies', channelId, number, replyCount],
    queryFn: async ({ pageParam, signal }) =>
      answerOf(await request(listReplies, { channelId, number, after: pageParam }, { signal })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

  const hasFailed = isError && !isFetching;
  const failure = hasFailed && (
    <LoadFailure
      message={readingTexts.repliesFailed}
      onRetry={() => (data ? fetchNextPage() : refetch())}
    />
  );
  if (!data) return failure || <Loading label={texts.loading} />;
  const replies = data.pages.flatMap((page) => page.data);
  return (
    <div className={styles.replies}>
      <ul aria-label={texts.repliesTo(replyCount, autor)}>
        {replies.map((reply) => (
          <li key={reply.id}>
            <Link className={styles.reply} href={commentLink(channelId, reply.number)}>
              <span>
                <bdi className={styles.autor}>{reply.autor}</bdi> <TimeAgo iso={reply.createdAt} />
              </span>
              <span className={styles.text} dir="auto">
                {reply.comment}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {failure}
      {hasNextPage && !hasFailed && (
        <button
          type="button"
          className={buttons.quiet}
          aria-disabled={isFetching || undefined}
          onClick={() => isFetching || fetchNextPage()}
        >
          {readingTexts.moreReplies}
        </button>
      )}
    </div>
  );
}
