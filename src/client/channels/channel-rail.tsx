import { type MouseEvent, useEffect, useState } from 'react';
import { pageRoutes, writeAnchor } from '../../shared/routes.ts';
import { readingTexts } from '../comments/reading-texts.ts';
import { useAnchors } from '../components/anchors.tsx';
import { Link } from '../router/navigation.tsx';
import type { ChannelState } from '../state/state.ts';
import { texts } from '../texts.ts';
import { ChannelJumps } from './channel-jumps.tsx';
import styles from './channel-rail.module.css';
import { FreshLink } from './fresh-link.tsx';
import type { Unread } from './use-unread.ts';

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
  const isPassed = useIsHeadingPassed();
  const { find } = useAnchors();
  /** Moves the focus to the comment field; for guests, who have none, to the area around it. */
  const focusField = (event: MouseEvent) => {
    const area = find(writeAnchor);
    const field = area?.querySelector('textarea');
    event.preventDefault();
    area?.scrollIntoView({ block: 'center' });
    (field ?? area)?.focus({ preventScroll: true });
  };
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
      {closedAt === null && (
        <a className={styles.write} href={`#${writeAnchor}`} onClick={focusField}>
          {readingTexts.write}
        </a>
      )}
    </aside>
  );
}

/** Whether the page's heading is above the window. */
function useIsHeadingPassed(): boolean {
  const [isPassed, setPassed] = useState(false);
  useEffect(() => {
    const heading = document.querySelector('h1');
    if (!heading) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setPassed(!entry.isIntersecting && entry.boundingClientRect.top < 0);
    });
    observer.observe(heading);
    return () => observer.disconnect();
  }, []);
  return isPassed;
}
