import { memo } from 'react';
import { pageRoutes } from '../../shared/routes.ts';
import { CommentForm } from '../account/account-bundle-loader.tsx';
import { commentElementId } from '../comments/comment-item.tsx';
import { CommentList } from '../comments/comment-list.tsx';
import { LiveComments } from '../comments/live-comments.tsx';
import { focusElement } from '../components/focus-element.ts';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { Link, useAfter } from '../router/navigation.tsx';
import { type ChannelState, lacksComments } from '../state/state.ts';
import { useAppState, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { ChannelHeader } from './channel-header.tsx';
import styles from './channel-page.module.css';
import { useChannel } from './use-channel.ts';

/** Shows what is loaded of the channel, as from the list, while it is fetched. */
export function ChannelPage({ id }: { id: string }) {
  const channel = useAppState((state) => state.channels.get(id));
  const after = useAfter();
  const { status, retry, loadMore } = useChannel(id, after);

  if (!channel || (status !== 'ready' && lacksComments(channel))) {
    return (
      <>
        {channel && <ChannelHeader channel={channel} />}
        {status === 'failed' ? (
          <LoadFailure message={texts.channelFailed} onRetry={retry} />
        ) : (
          <Loading label={texts.loading} />
        )}
      </>
    );
  }
  return (
    <>
      <ChannelHeader channel={channel} />
      {/* The key discards a busy link of another page. */}
      <Comments key={after} channel={channel} loadMore={loadMore} />
      <CommentArea channelId={id} />
      <LiveComments channelId={id} isLoaded={status === 'ready'} reload={retry} />
    </>
  );
}

interface CommentsProps {
  channel: ChannelState;
  loadMore: (last: string) => Promise<string | null>;
}

function Comments({ channel, loadMore }: CommentsProps) {
  const { _id, moreAfter, commentCount, isFirstPage } = channel;

  const appendNext = async () => {
    const firstId = moreAfter && (await loadMore(moreAfter));
    if (firstId) focusElement(commentElementId(firstId));
    return firstId !== null;
  };

  return (
    <section className={styles.comments} aria-labelledby="comentarios">
      <div className={styles.heading}>
        <h2 id="comentarios">{texts.comments}</h2>
        <span className={styles.count}>{commentCount}</span>
      </div>
      {!isFirstPage && (
        <p className={styles.start}>
          <Link href={pageRoutes.channel(_id)}>{texts.fromTheStart}</Link>
        </p>
      )}
      <CommentList channel={channel} loadMore={appendNext} />
    </section>
  );
}

const CommentArea = memo(function CommentArea({ channelId }: { channelId: string }) {
  const { isLogged } = useUser();
  const [before, link, behind] = texts.mustSignInToComment;
  return (
    <div className={styles.area}>
      {isLogged ? (
        <CommentForm channelId={channelId} />
      ) : (
        <p data-for="guest" className={styles.guest}>
          {before}
          <Link href={pageRoutes.login}>{link}</Link>
          {behind}
        </p>
      )}
    </div>
  );
});
