import { memo } from 'react';
import type { Comment } from '../../shared/comments.ts';
import { commentAnchor, commentLink, pageRoutes, withQuery } from '../../shared/routes.ts';
import { CommentForm } from '../account/account-bundle-loader.tsx';
import { CommentList } from '../comments/comment-list.tsx';
import { CommentsEnd, endAnchor } from '../comments/comments-end.tsx';
import { focusElement } from '../components/focus-element.ts';
import { GuestLinks } from '../components/guest-links.tsx';
import { LoadFailure } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { go, Link } from '../router/navigation.tsx';
import { type ChannelState, lacksComments } from '../state/state.ts';
import { useAppState, useStore, useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { ChannelHeader } from './channel-header.tsx';
import styles from './channel-page.module.css';
import { useChannel, usePlace } from './use-channel.ts';
import { useTarget } from './use-target.ts';

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
      <Comments
        channel={channel}
        isLoaded={status === 'ready'}
        reload={retry}
        loadEarlier={loadEarlier}
        loadLater={loadLater}
      />
      <CommentArea channelId={id} />
    </>
  );
}

interface CommentsProps {
  channel: ChannelState;
  isLoaded: boolean;
  reload: () => void;
  /** Each load the page before or after a cursor and resolve to the number of its comment next to it. */
  loadEarlier: (before: string) => Promise<number | null>;
  loadLater: (after: string) => Promise<number | null>;
}

function Comments({ channel, isLoaded, reload, loadEarlier, loadLater }: CommentsProps) {
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
      />
      <CommentsEnd
        channel={channel}
        isLoaded={isLoaded}
        reload={reload}
        loadLater={() => load(moreAfter ? loadLater(moreAfter) : null)}
      />
    </section>
  );
}

const CommentArea = memo(function CommentArea({ channelId }: { channelId: string }) {
  const { getState } = useStore();
  const { isLogged } = useUser();
  /** Shows the comment just sent: where it was added, or on the page of the newest comments. */
  const onSent = ({ number }: Comment) => {
    const shown = getState().channels.get(channelId)?.comments;
    if (!shown?.some((one) => one.number === number)) return go(commentLink(channelId, number));
    requestAnimationFrame(() =>
      document.getElementById(commentAnchor(number))?.scrollIntoView({ block: 'nearest' }),
    );
  };
  const [before, link, behind] = texts.mustSignInToComment;
  return (
    <div className={styles.area}>
      {isLogged ? (
        <CommentForm channelId={channelId} onSent={onSent} />
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
