import { useCallback, useEffect, useState } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentLink } from '../../shared/routes.ts';
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

interface Replies {
  comments: Comment[];
  next: string | null;
}

const none: Replies = { comments: [], next: null };

/** Links to the comments that answer one. */
export function ReplyList({ comment }: { comment: Comment }) {
  const { channelId, number, replyCount, autor } = comment;
  const [replies, setReplies] = useState(none);
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading');

  const load = useCallback(
    async (shown: Replies, signal?: AbortSignal) => {
      setStatus('loading');
      const place = { channelId, number, after: shown.next };
      const result = await request(listReplies, place, { signal });
      if (signal?.aborted) return;
      if (!result.ok) return setStatus('failed');
      const { data, next } = result.value;
      setReplies({ comments: [...shown.comments, ...data], next });
      setStatus('ready');
    },
    [channelId, number],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another reply fetches the list again
  useEffect(() => {
    const controller = new AbortController();
    // biome-ignore lint/nursery/useReactCompiler: the earlier list must not stay while it loads
    load(none, controller.signal);
    return () => controller.abort();
  }, [load, replyCount]);

  if (status === 'failed') {
    return <LoadFailure message={readingTexts.repliesFailed} onRetry={() => load(replies)} />;
  }
  if (replies.comments.length === 0) return <Loading label={texts.loading} />;
  return (
    <div className={styles.replies}>
      <ul aria-label={texts.repliesTo(replyCount, autor)}>
        {replies.comments.map((reply) => (
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
      {replies.next && (
        <button
          type="button"
          className={buttons.quiet}
          aria-disabled={status === 'loading' || undefined}
          onClick={() => status === 'ready' && load(replies)}
        >
          {readingTexts.moreReplies}
        </button>
      )}
    </div>
  );
}
