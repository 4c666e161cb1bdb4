import { useCallback, useEffect, useState } from 'react';
import { unreadText } from '../../../shared/notification-texts.ts';
import { isInView } from '../../dom/keep-reading.ts';
import buttons from '../../ui/styles/button.module.css';
import { endAnchor } from '../list/comments-end.tsx';
import { useSkippedRendering } from '../list/use-skipped-rendering.ts';
import styles from './live-comments.module.css';
import { type LiveOptions, useLiveComments } from './use-live-comments.ts';

interface LiveCommentsProps extends LiveOptions {
  /** Whether the newest comments are loaded. */
  isEnd: boolean;
}

const findEnd = () => document.getElementById(endAnchor);

/** Follows the channel: adds and announces new comments, and offers a button that scrolls down to unseen ones. */
export function LiveComments({ isEnd, ...options }: LiveCommentsProps) {
  const [count, setCount] = useState(0);
  const onAdded = useCallback((added: number) => {
    if (!isInView(findEnd())) setCount((before) => before + added);
  }, []);
  const announcement = useLiveComments(options, onAdded);
  useSkippedRendering(options.channelId);

  useEffect(() => {
    if (count === 0) return;
    const stop = new AbortController();
    const onScroll = () => isInView(findEnd()) && setCount(0);
    for (const target of [window, visualViewport])
      target?.addEventListener('scroll', onScroll, stop);
    return () => stop.abort();
  }, [count]);

  const showEnd = () => {
    findEnd()?.focus({ preventScroll: true });
    findEnd()?.scrollIntoView();
  };
  return (
    <>
      {isEnd && count > 0 && (
        <div className={styles.news}>
          <button type="button" className={buttons.primary} onClick={showEnd}>
            {unreadText(count)}
          </button>
        </div>
      )}
      <p className="visually-hidden" aria-live="polite">
        {/* A new element each time: an unchanged text in the same element is announced only once. */}
        <span key={announcement.id}>{announcement.text}</span>
      </p>
    </>
  );
}
