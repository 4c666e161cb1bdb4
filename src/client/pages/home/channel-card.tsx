import { memo } from 'react';
import type { Channel } from '../../../shared/channels.ts';
import { limits } from '../../../shared/limits.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Cover } from '../../images/cover.tsx';
import { Link } from '../../router/navigation.tsx';
import { newestNumber } from '../../state/comment-span.ts';
import type { Reads } from '../../state/reads.ts';
import { useAppState } from '../../state/store-provider.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import icons from '../../ui/icons.module.css';
import { listTexts } from '../../ui/list-texts.ts';
import { accountPart } from '../../ui/loading/lazy-part.tsx';
import { texts, withClosed } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import { newestLink, unreadLink } from '../channel/channel-links.ts';
import styles from './channel-card.module.css';

const NewsOnCard = accountPart((parts) => parts.NewsOnCard, { isQuiet: true });

interface ChannelCardProps {
  channel: Channel;
  isFirst: boolean;
}

/**
 * Finds the place where a user reads on: the first unread comment or, without one, the newest page. A channel that the
 * user has never visited opens at its top, and so does one where that is on the first page.
 */
function readingLink(channel: Channel, read: Reads[string] | undefined): string {
  const top = pageRoutes.channel(channel._id);
  if (!read) return top;
  const [number, link] =
    read.unread > 0
      ? [read.number + 1, unreadLink(channel._id, read.number)]
      : [newestNumber(channel), newestLink(channel)];
  return number <= limits.commentsPerPage ? top : link;
}

/**
 * A channel on the home page: a card, or a row on a narrow page. The link of its title covers it completely, except
 * for the unread count.
 */
export const ChannelCard = memo(function ChannelCard({ channel, isFirst }: ChannelCardProps) {
  const { _id, name, description, cover, autor, autorImg, commentCount } = channel;
  const { createdAt, lastCommentAt, closedAt, isPinned } = channel;
  const read = useAppState((state) => state.reads[_id]);
  const isNew = useAppState(({ newChannels }) => !read && newChannels.includes(_id));
  const hasUnread = Boolean(read && read.unread > 0);
  const [count, countWord = ''] = listTexts.commentCount(commentCount).split(' ');
  return (
    <article className={`covered frame ${styles.card}`}>
      <Cover
        className={styles.cover}
        channelId={_id}
        cover={cover}
        alt=""
        size="card"
        isFirst={isFirst}
      />
      {isPinned && <span className={styles.pinned}>Fijado</span>}
      <div className={styles.body}>
        <h2 className={styles.title} dir="auto">
          <Link
            className={`covering plain clamped ${styles.link}`}
            href={readingLink(channel, read)}
          >
            {name}
          </Link>
        </h2>
        <p className={`clamped ${styles.description}`} dir="auto">
          {description}
        </p>
        {(hasUnread || isNew) && <NewsOnCard channelId={_id} name={name} />}
        <p className={styles.by}>
          <Avatar img={autorImg} size={30} />
          <bdi>{autor}</bdi>
        </p>
        <p className={`note ${styles.facts}`}>
          <span className={`${icons.bubble} ${styles.count}`}>
            <span>
              <span>{count}</span>
              <span className={styles.word}> {countWord}</span>
              <span>{withClosed('', closedAt)}</span>
            </span>
          </span>{' '}
          <span>
            <span className={lastCommentAt ? 'visually-hidden' : styles.word}>
              {lastCommentAt ? 'último comentario:' : texts.opened}
            </span>{' '}
            <Time iso={lastCommentAt ?? createdAt} />
          </span>
        </p>
      </div>
    </article>
  );
});
