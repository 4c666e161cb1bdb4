import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CommentVersions as Versions } from '../../shared/moderation.ts';
import { accountKey, answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import styles from './comment-versions.module.css';
import { MarkedText } from './marked-text.tsx';
import { listVersions } from './report-calls.ts';
import { staffTexts } from './staff-texts.ts';

/** The texts that a comment has had, the newest first, with what each change added and removed. Takes the focus. */
export function CommentVersions({ commentId }: { commentId: string }) {
  const { id: userId } = useUser();
  const list = useRef<HTMLDivElement>(null);
  const { data, isError, refetch } = useQuery({
    queryKey: [...accountKey(userId), 'versions', commentId],
    queryFn: async ({ signal }) => {
      const dash = commentId.lastIndexOf('-');
      const channelId = commentId.slice(0, dash);
      const key = { channelId, number: Number(commentId.slice(dash + 1)) };
      return answerOf(await request(listVersions, key, { signal })).data;
    },
  });
  useEffect(() => list.current?.focus(), []);
  return (
    <div ref={list} className={styles.versions} tabIndex={-1} aria-busy={!data && !isError}>
      {isError && <LoadFailure message={staffTexts.versionsFailed} onRetry={() => refetch()} />}
      {!data && !isError && <Loading label={texts.loading} />}
      {data && (
        <ol className={styles.list} aria-label={staffTexts.versions}>
          {data
            .map((version, index) => (
              <Version key={version.revision} version={version} before={data[index - 1]} />
            ))
            .reverse()}
        </ol>
      )}
    </div>
  );
}

type Version = Versions['data'][number];

function Version({ version, before }: { version: Version; before: Version | undefined }) {
  const { text, until } = version;
  return (
    <li>
      <p className={styles.time}>
        {until ? (
          <>
            {staffTexts.until} <TimeAgo iso={until} />
          </>
        ) : (
          staffTexts.now
        )}
      </p>
      <MarkedText before={before?.text ?? text} text={text} />
    </li>
  );
}
