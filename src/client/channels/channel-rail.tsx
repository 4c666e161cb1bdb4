import { pageRoutes } from '../../shared/routes.ts';
import { readingTexts } from '../comments/reading-texts.ts';
import { Link } from '../router/navigation.tsx';
import type { ChannelState } from '../state/state.ts';
import { texts } from '../texts.ts';
import { ChannelJumps } from './channel-jumps.tsx';
import styles from './channel-rail.module.css';
import { FreshLink } from './fresh-link.tsx';
import type { Unread } from './use-unread.ts';
import { useViewPlace } from './use-view-place.ts';
import { WriteLink } from './write-link.tsx';

interface ChannelRailProps {
  channel: ChannelState;
  unread: Unread | null;
}

/**
 * The channel's title with its jumps, once the heading is out of view: beside the comments on wide
 * windows, as a slim bar above them on narrow ones.
 */
export function ChannelRail({ channel, unread }: ChannelRailProps) {
  const { _id, name, commentCount, closedAt } = channel;
  const isPassed = useViewPlace('h1') === 'above';
  return (
    <aside
      className={styles.rail}
      data-passed={isPassed || undefined}
      aria-label={readingTexts.inChannel}
    >
      <p className={styles.title}>
        <Link href={pageRoutes.channel(_id)} dir="auto">
          {name}
        </Link>
      </p>
      <p className={styles.details}>
        {texts.commentCount(commentCount)}
        {closedAt && <span>{texts.closed}</span>}
        {unread && <strong>{texts.unread(unread.count)}</strong>}
      </p>
      <div className={styles.jumps}>
        <ChannelJumps channel={channel} unread={unread} />
      </div>
      <FreshLink className={styles.fresh} channel={channel} />
      {closedAt === null && <WriteLink className={styles.write}>{readingTexts.write}</WriteLink>}
    </aside>
  );
}
