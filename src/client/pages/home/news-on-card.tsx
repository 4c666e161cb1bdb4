import { unreadText } from '../../../shared/notification-texts.ts';
import { Link } from '../../router/navigation.tsx';
import { useAppState } from '../../state/store-provider.tsx';
import { texts } from '../../ui/texts.ts';
import { unreadLink } from '../channel/channel-links.ts';
import styles from './news-on-card.module.css';

interface NewsOnCardProps {
  channelId: string;
  name: string;
}

/** The unread mark and the last comment on a channel's card, for a user with unread comments there. Its styles need it directly after the description. */
export function NewsOnCard({ channelId, name }: NewsOnCardProps) {
  const read = useAppState((state) => state.reads[channelId]);
  if (!read) return <span className={`${styles.unread} ${styles.new}`}>Nuevo</span>;
  const { last, number, unread } = read;
  const [count, word] = unreadText(unread).split(' ');
  return (
    <>
      {last && (
        <p className={`clamped ${styles.last}`} dir="auto">
          <bdi>{last.autor.split(' ')[0]}</bdi>
          <span>{`: ${last.excerpt || texts.imagesAlone}`}</span>
        </p>
      )}
      <Link className={`plain ${styles.unread}`} href={unreadLink(channelId, number)}>
        <span>{count}</span>
        <span className={styles.unreadWord}> {word}</span>
        <span className="visually-hidden"> {`en ${name}`}</span>
      </Link>
    </>
  );
}
