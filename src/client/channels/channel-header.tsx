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
  const { _id, name, description, cover, coverAlt, autor, autorImg, createdAt } = channel;
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
}
