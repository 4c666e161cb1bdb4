import { memo } from 'react';
import type { Channel } from '../../shared/channels.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { CommentText } from '../comments/comment-text.tsx';
import { Avatar } from '../components/avatar.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { TimeAgo } from '../components/time-ago.tsx';
import { Link } from '../router/navigation.tsx';
import { texts } from '../texts.ts';
import styles from './channel-header.module.css';
import { Cover } from './cover.tsx';

/** A channel on its own page. */
export function ChannelHeader({ channel }: { channel: Channel }) {
  const { _id, name, description, cover, coverAlt, autor, autorId, autorImg, createdAt } = channel;
  return (
    <Header {...{ _id, name, description, cover, coverAlt, autor, autorId, autorImg, createdAt }} />
  );
}

type HeaderProps = Pick<
  Channel,
  | '_id'
  | 'name'
  | 'description'
  | 'cover'
  | 'coverAlt'
  | 'autor'
  | 'autorId'
  | 'autorImg'
  | 'createdAt'
>;

/** Its props do not include the comments, so a new comment does not render it again. */
const Header = memo(function Header({
  _id,
  name,
  description,
  cover,
  coverAlt,
  autor,
  autorId,
  autorImg,
  createdAt,
}: HeaderProps) {
  return (
    <header className={styles.header}>
      <Cover
        className={styles.cover}
        channelId={_id}
        cover={cover}
        alt={coverAlt || texts.coverOf(name)}
        place="page"
        isFirst
      />
      <PageTitle>{name}</PageTitle>
      <div className={styles.autor}>
        <Avatar img={autorImg} size={45} isEager />
        <div>
          <p className={styles.name} dir="auto">
            <Link href={pageRoutes.user(autorId)}>{autor}</Link>
          </p>
          <p className={styles.opened}>
            {texts.opened} <TimeAgo iso={createdAt} />
          </p>
        </div>
      </div>
      <CommentText className={styles.description} text={description} />
    </header>
  );
});
