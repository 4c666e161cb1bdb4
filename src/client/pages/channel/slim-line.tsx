import { useEffect, useState } from 'react';
import { unreadText } from '../../../shared/notification-texts.ts';
import { siteNameOf } from '../../../shared/site-name.ts';
import { endAnchor, unreadAnchor } from '../../conversation/list/anchors.ts';
import type { Unread } from '../../conversation/reading/use-unread.ts';
import { isInView } from '../../dom/keep-reading.ts';
import { Link } from '../../router/navigation.tsx';
import type { ChannelState } from '../../state/state.ts';
import { useSite } from '../../state/store-provider.tsx';
import buttons from '../../ui/styles/button.module.css';
import { dot } from '../../ui/texts.ts';
import { leastComments, newestText } from './channel-jumps.tsx';
import { newestLink, unreadLink } from './channel-links.ts';
import styles from './slim-line.module.css';

interface SlimLineProps {
  channel: ChannelState;
  unread: Unread | null;
  /** The number of comments by others that were added below the window. */
  arrived: number;
  isHeadingAbove: boolean;
  /** Called when the end of the comments is in view. */
  onEnd: () => void;
}

const findEnd = () => document.getElementById(endAnchor);

/**
 * A line at the top of the window that names the channel and leads to comments below: those that have just arrived,
 * the unread ones until they are reached, or else the newest ones. While the page's heading is in view, only a button that
 * leads to those that have just arrived.
 */
export function SlimLine({ channel, unread, arrived, isHeadingAbove, onEnd }: SlimLineProps) {
  const siteName = siteNameOf(useSite());
  const [hasReached, setReached] = useState(false);
  const [isEnd, setEnd] = useState(false);

  useEffect(() => {
    const update = () => {
      const line = document.getElementById(unreadAnchor);
      if (line && line.getBoundingClientRect().top < innerHeight) setReached(true);
      const isEnd = isInView(findEnd());
      setEnd(isEnd);
      if (isEnd) onEnd();
    };
    update();
    const stop = new AbortController();
    for (const target of [window, visualViewport])
      target?.addEventListener('scroll', update, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, [onEnd]);

  const showEnd = () => {
    findEnd()?.focus({ preventScroll: true });
    findEnd()?.scrollIntoView();
  };
  const link = (href: string, text: string) => (
    <Link className={`target ${styles.link}`} href={href}>
      {text}
    </Link>
  );
  const arrivedButton = (className: string | undefined) => (
    <button type="button" className={className} onClick={showEnd}>
      {unreadText(arrived)}
    </button>
  );
  if (!isHeadingAbove) {
    return <div className={`unprinted ${styles.arrived}`}>{arrivedButton(buttons.primary)}</div>;
  }
  return (
    <div className={`unprinted ${styles.line}`}>
      <div className={styles.column}>
        <p className={`clamped ${styles.names}`}>
          <b dir="auto">{channel.name}</b>
          <span>{dot}</span>
          <span dir="auto">{siteName}</span>
        </p>
        {arrived > 0
          ? arrivedButton(`bare target ${styles.link}`)
          : unread && !hasReached
            ? link(unreadLink(channel._id, unread.after), unreadText(unread.count))
            : !isEnd &&
              channel.commentCount >= leastComments &&
              link(newestLink(channel), newestText)}
      </div>
    </div>
  );
}
