import { type ComponentProps, memo, useState } from 'react';
import type { CommentRange } from '../../../shared/comment-range.ts';
import type { Comment } from '../../../shared/comments.ts';
import { errorTexts } from '../../../shared/error-texts.ts';
import { unreadText } from '../../../shared/notification-texts.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { hasCarried } from '../../../shared/page-data.ts';
import { commentsAnchor, pageRoutes, withQuery, writeAnchor } from '../../../shared/routes.ts';
import { ChannelAside } from '../../conversation/carried-part.ts';
import { CommentList } from '../../conversation/list/comment-list.tsx';
import { CommentsEnd } from '../../conversation/list/comments-end.tsx';
import { findFirstUnread, type Unread, useUnread } from '../../conversation/reading/use-unread.ts';
import { Link } from '../../router/navigation.tsx';
import { type ChannelState, lacksComments } from '../../state/state.ts';
import { useAppState, useSite, useUser } from '../../state/store-provider.tsx';
import { GuestLinks } from '../../ui/guest-links.tsx';
import { accountPart } from '../../ui/loading/lazy-part.tsx';
import { PageBoundary } from '../../ui/loading/page-boundary.tsx';
import { Loading } from '../../ui/loading/spinner.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import buttons from '../../ui/styles/button.module.css';
import { texts, withClosed } from '../../ui/texts.ts';
import { WayInLink } from '../../ui/way-in-link.tsx';
import { ChannelHeader } from './channel-header.tsx';
import { ChannelJumps } from './channel-jumps.tsx';
import styles from './channel-page.module.css';
import { LiveComments } from './live-comments.tsx';
import { useChannel, useRange } from './use-channel.ts';
import { useLinked } from './use-linked.ts';

const Composer = accountPart((parts) => parts.Composer);
const RestrictionNote = accountPart((parts) => parts.RestrictionNote, { isQuiet: true });
const ReadingTracker = accountPart((parts) => parts.ReadingTracker, { isQuiet: true });

/** The page of a channel. While it loads, shows the header if the home page has loaded the channel. */
export function ChannelPage({ id }: { id: string }) {
  const channel = useAppState((state) => state.channels.get(id));
  const range = useRange();
  const { status, isLoaded, retry, live, loadEarlier, loadLater } = useChannel(id, range);
  useLinked(isLoaded);
  const unread = useUnread(id);
  const { isLogged } = useUser();
  const failure = status === 'failed' && (
    <>
      {isLogged && <RestrictionNote />}
      <LoadFailure message="No se pudo cargar el canal" onRetry={retry} />
    </>
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
      {hasCarried(channel) && (
        <ChannelAside channel={channel} className={`unprinted ${styles.aside}`} />
      )}
      {failure && <div className={`unprinted ${styles.failure}`}>{failure}</div>}
      <Comments
        channel={channel}
        range={range}
        unread={unread}
        isLoaded={status === 'ready'}
        live={live}
        loadEarlier={loadEarlier}
        loadLater={loadLater}
      />
      <CommentArea channelId={id} isClosed={channel.closedAt !== null} />
      {isLogged && <ReadingTracker channelId={id} />}
    </>
  );
}

interface CommentsProps {
  channel: ChannelState;
  range: CommentRange;
  unread: Unread | null;
  isLoaded: boolean;
  live: Pick<ComponentProps<typeof LiveComments>, 'reload' | 'refresh'>;
  /** Loads the page before the span. @returns its last comment */
  loadEarlier: () => Promise<Comment | undefined>;
  /** Loads the page after the span. @returns its first comment */
  loadLater: () => Promise<Comment | undefined>;
}

function Comments({
  channel,
  range,
  unread,
  isLoaded,
  live,
  loadEarlier,
  loadLater,
}: CommentsProps) {
  const { _id, span, commentCount, closedAt } = channel;
  const { id: userId } = useUser();
  const path = pageRoutes.channel(_id);

  return (
    <section className={styles.comments} aria-labelledby={commentsAnchor}>
      <div className={`row ${styles.heading}`}>
        <h2 id={commentsAnchor} tabIndex={-1}>
          Comentarios
        </h2>
        <span className="muted">{withClosed(numberText(commentCount), closedAt)}</span>
        <div className={`links row unprinted ${styles.jumps}`}>
          <ChannelJumps channel={channel} unread={unread} />
        </div>
      </div>
      <LiveComments channel={channel} unread={unread} isLoaded={isLoaded} {...live} />
      {span.first > 1 && (
        <p className={`links unprinted ${styles.start}`}>
          {/* `path` alone may be the current address, and a link to that loads nothing. */}
          <Link href={withQuery(path, { n: 1 })}>{texts.fromTheStart}</Link>
        </p>
      )}
      <PageBoundary>
        <CommentList
          channel={channel}
          range={range}
          unread={
            unread && {
              number: findFirstUnread(channel, unread, userId),
              text: unreadText(unread.count),
            }
          }
          loadEarlier={loadEarlier}
        />
      </PageBoundary>
      {!closedAt && <Invitation key={_id} channel={channel} />}
      <CommentsEnd channel={channel} loadLater={loadLater} />
    </section>
  );
}

/**
 * Invitation to share the link. It stays after the first comment for the channel's author, who may not have shared
 * it yet.
 */
function Invitation({ channel }: { channel: ChannelState }) {
  const { autorId, commentCount } = channel;
  const { id: userId } = useUser();
  const { readers } = useSite();
  const [wasEmpty] = useState(commentCount === 0);
  if (commentCount > 0 && !(wasEmpty && userId === autorId)) return null;
  return (
    <div className={`stack unprinted ${styles.invitation}`}>
      <p>
        {`${commentCount === 0 ? 'Empieza la conversación o comparte' : 'Comparte'} el enlace con tu grupo. ${texts.whoReads[readers]}`}
      </p>
      <button
        type="button"
        className={buttons.quiet}
        // Loaded on demand, because few visitors see an empty channel.
        onClick={async () => (await import('./share-channel.ts')).shareChannel(channel)}
      >
        {texts.share}
      </button>
    </div>
  );
}

interface CommentAreaProps {
  channelId: string;
  isClosed: boolean;
}

const CommentArea = memo(function CommentArea({ channelId, isClosed }: CommentAreaProps) {
  const { isLogged } = useUser();
  if (isClosed) {
    return (
      <div id={writeAnchor} className={`unprinted ${styles.area}`} data-closed="" tabIndex={-1}>
        <p className={styles.guest}>{errorTexts.channelClosed}</p>
        {isLogged && <Composer channelId={channelId} isClosed />}
      </div>
    );
  }
  return (
    <div id={writeAnchor} className={`unprinted ${styles.area}`} tabIndex={-1}>
      {isLogged ? (
        <Composer channelId={channelId} isClosed={false} />
      ) : (
        <div data-for="guest" className={`stack ${styles.guest}`}>
          <p>
            {/* Spelt as in the specification. */}
            Si deseas comentar debes <WayInLink href={pageRoutes.login}>inciar sesión</WayInLink> 😁
          </p>
          <GuestLinks />
        </div>
      )}
    </div>
  );
});
