import buttons from '../components/button.module.css';
import { readingTexts } from './reading-texts.ts';
import { type LiveOptions, useLiveComments } from './use-live-comments.ts';
import { useSkippedRendering } from './use-skipped-rendering.ts';

/** Follows the channel: announces new comments, and shows a button for those that are held. */
export function LiveComments(options: LiveOptions) {
  const { heldCount, showHeld, announcement } = useLiveComments(options);
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
