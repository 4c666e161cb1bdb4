import buttons from '../components/button.module.css';
import { texts } from '../texts.ts';
import { type LiveOptions, useLiveComments } from './use-live-comments.ts';

/** Follows the channel: offers live comments that are held back, and announces new ones. */
export function LiveComments(options: LiveOptions) {
  const { heldCount, showHeld, announcement } = useLiveComments(options);
  return (
    <>
      {heldCount > 0 && (
        <button type="button" className={buttons.quiet} onClick={showHeld}>
          {texts.newComments(heldCount)}
        </button>
      )}
      <p className="visually-hidden" aria-live="polite">
        {/* A new element each time: the same text in the same element is announced only once. */}
        <span key={announcement.id}>{announcement.text}</span>
      </p>
    </>
  );
}
