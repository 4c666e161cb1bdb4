import { memo } from 'react';
import { commentAnchor, pageRoutes, withQuery } from '../../shared/routes.ts';
import { CommentForm } from '../account/account-bundle-loader.tsx';
import { CommentList } from '../comments/comment-list.tsx';
import { LiveComments } from '../comments/live-comments.tsx';
import { focusElement } from '../components/focus-element.ts';
import { GuestLinks } from '../components/guest-links.tsx';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { Link } from '../router/navigation.tsx';
import { type ChannelState, lacksComments } from '../state/state.ts';
import { useAppState, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { ChannelHeader } from './channel-header.tsx';
import styles from './channel-page.module.css';
import { useChannel, usePlace } from './use-channel.ts';
import { useTarget } from './use-target.ts';

/** Id of the element between the comments and the form. */
const endAnchor = 'ultimo';
/** Channels with this many comments have links to their newest and first unread ones. */
const jumpsFrom = 10;

function newestLink({ _id, commentCount, removedCount }: ChannelState): string {
  return `${withQuery(pageRoutes.channel(_id), { n: commentCount + removedCount })}#${endAnchor}`;
}

/** Shows what is loaded of the channel, as from the list, while it is fetched. */
export function ChannelPage({ id }: { id: string }) {
  const channel = useAppState((state) => state.channels.get(id));
  const place = usePlace();
  const { status, retry, loadEarlier, loadLater } = useChannel(id, place);
  useTarget(status === 'ready');
  const failure = status === 'failed' && (
    <LoadFailure message={texts.channelFailed} onRetry={retry} />
  );

  if (!channel || (status !== 'ready' && lacksComments(channel))) {
    return (
      <>
        {channel && <ChannelHeader channel={channel} />}
        {failure || <Loading label={texts.loading} />}
      </>
    );
  }
  return (
    <>
      <ChannelHeader channel={channel} />
      {failure}
      <Comments channel={channel} loadEarlier={loadEarlier} loadLater={loadLater} />
      <div id={endAnchor} className={styles.end} tabIndex={-1} />
      <CommentArea channelId={id} />
      <LiveComments channelId={id} isLoaded={status === 'ready'} reload={retry} />
    </>
  );
}

interface CommentsProps {
  channel: ChannelState;
  /** Each load the page before or after a cursor and resolve to the number of its comment next to it. */
  loadEarlier: (before: string) => Promise<number | null>;
  loadLater: (after: string) => Promise<number | null>;
}

function Comments({ channel, loadEarlier, loadLater }: CommentsProps) {
  const { _id, moreBefore, moreAfter, commentCount, place } = channel;
  const path = pageRoutes.channel(_id);

  const load = async (loading: Promise<number | null> | null) => {
    const number = await loading;
    if (number) focusElement(commentAnchor(number));
    return number !== null;
  };

  return (
    <section className={styles.comments} aria-labelledby="comentarios">
      <div className={styles.heading}>
        <h2 id="comentarios">{texts.comments}</h2>
        <span className={styles.count}>{commentCount}</span>
        {commentCount >= jumpsFrom && (
          <Link className={styles.jump} href={newestLink(channel)}>
            {texts.toNewest}
          </Link>
        )}
      </div>
      {moreBefore && (
        <p className={styles.start}>
          <Link href={path}>{texts.fromTheStart}</Link>
        </p>
      )}
      <CommentList
        // The key discards a busy link of another page.
        key={withQuery('', { ...place })}
        channel={channel}
        loadEarlier={() => load(moreBefore ? loadEarlier(moreBefore) : null)}
        loadLater={() => load(moreAfter ? loadLater(moreAfter) : null)}
      />
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
        <div data-for="guest" className={styles.guest}>
          <p>
            {before}
            <Link href={pageRoutes.login}>{link}</Link>
            {behind}
          </p>
          <GuestLinks />
        </div>
      )}
    </div>
  );
});
