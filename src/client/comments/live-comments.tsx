import buttons from '../components/button.module.css';
import { readingTexts } from './reading-texts.ts';
import { type LiveOptions, useLiveComments } from './use-live-comments.ts';
import { useSkippedRendering } from './use-skipped-rendering.ts';
import { useTrimmedComments } from './use-trimmed-comments.ts';

interface LiveCommentsProps extends LiveOptions {
  /** What `before` takes to load the comments that precede those shown. */
  moreBefore: string | null;
}

/**
 * Follows the channel: offers live comments that are held back, announces new ones, and loads those
 * that left the page when the reader scrolls up to them.
 */
export function LiveComments({ moreBefore, ...options }: LiveCommentsProps) {
  const { heldCount, showHeld, announcement, trimmedBefore } = useLiveComments(options);
  useTrimmedComments({ channelId: options.channelId, trimmedBefore, moreBefore });
  useSkippedRendering(options.channelId);
  return (
    <>
      {heldCount > 0 && (
        <button type="button" className={buttons.quiet} onClick={showHeld}>
          {readingTexts.newComments(heldCount)}
        </button>
      )}
      <p className="visually-hidden" aria-live="polite">
        {/* A new element each time: the same text in the same element is announced only once. */}
        <span key={announcement.id}>{announcement.text}</span>
      </p>
    </>
  );
}
