import { memo } from 'react';
import type { Channel } from '../../shared/channels.ts';
import { Avatar } from '../components/avatar.tsx';
import { LinkedText } from '../components/linked-text.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { TimeAgo } from '../components/time-ago.tsx';
import { texts } from '../texts.ts';
import styles from './channel-header.module.css';
import { Cover } from './cover.tsx';

/** A channel on its own page. */
export function ChannelHeader({ channel }: { channel: Channel }) {
  const { comments, commentCount, ...about } = channel;
  return <Header {...about} />;
}

/** Its props do not include the comments, so a new comment does not render it again. */
const Header = memo(function Header({
  _id,
  name,
  description,
  cover,
  coverAlt,
  autor,
  autorImg,
  createdAt,
}: Omit<Channel, 'comments' | 'commentCount'>) {
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
            {autor}
          </p>
          <p className={styles.opened}>
            {texts.opened} <TimeAgo iso={createdAt} />
          </p>
        </div>
      </div>
      <LinkedText className={styles.description} text={description} />
    </header>
  );
});
