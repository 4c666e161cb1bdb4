import { useCallback, useEffect, useState } from 'react';
import { endAnchor } from '../../conversation/list/anchors.ts';
import { useSkippedRendering } from '../../conversation/list/use-skipped-rendering.ts';
import { type LiveOptions, useLiveComments } from '../../conversation/live/use-live-comments.ts';
import type { Unread } from '../../conversation/reading/use-unread.ts';
import { isInView } from '../../dom/keep-reading.ts';
import type { ChannelState } from '../../state/state.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

const SlimLine = lazyPart(async () => (await import('./slim-line.tsx')).SlimLine, {
  isQuiet: true,
});

interface LiveCommentsProps extends Omit<LiveOptions, 'channelId'> {
  channel: ChannelState;
  unread: Unread | null;
}

/**
 * Follows the channel: adds and announces new comments. Shows a line at the top of the window once the page's heading
 * is out of sight, or to lead to new comments below the window.
 */
export function LiveComments({ channel, unread, ...options }: LiveCommentsProps) {
  const { _id: channelId, span } = channel;
  const [count, setCount] = useState(0);
  const isHeadingAbove = useIsHeadingAbove();
  const onAdded = useCallback((added: number) => {
    if (!isInView(document.getElementById(endAnchor))) setCount((before) => before + added);
  }, []);
  const onEnd = useCallback(() => setCount(0), []);
  const announcement = useLiveComments({ channelId, ...options }, onAdded);
  useSkippedRendering(channelId);
  const arrived = span.last === null ? count : 0;

  return (
    <>
      {(isHeadingAbove || arrived > 0) && (
        <SlimLine
          channel={channel}
          unread={unread}
          arrived={arrived}
          isHeadingAbove={isHeadingAbove}
          onEnd={onEnd}
        />
      )}
      <p className="visually-hidden" aria-live="polite">
        {/* A new element each time: an unchanged text in the same element is announced only once. */}
        <span key={announcement.id}>{announcement.text}</span>
      </p>
    </>
  );
}

/** Whether the page's heading was scrolled out of the window at its top. */
function useIsHeadingAbove(): boolean {
  const [isAbove, setAbove] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) =>
      setAbove((entries.at(-1)?.boundingClientRect.bottom ?? 1) <= 0),
    );
    const heading = document.querySelector('main h1');
    if (heading) observer.observe(heading);
    return () => observer.disconnect();
  }, []);
  return isAbove;
}
