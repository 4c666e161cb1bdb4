import { type ComponentProps, type MouseEvent, type UIEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { CommentText } from './comment-text.tsx';
import styles from './folded-text.module.css';

/** Characters of a line on a wide page. A phone's lines are shorter. */
const lineChars = 60;
/** The style sheet folds a longer text after half as many. */
const mostLines = 40;

type FoldedTextProps = Pick<ComponentProps<typeof CommentText>, 'text' | 'mentions'>;

/** A text of which only the beginning is shown if it is long. */
export const FoldedText = (props: FoldedTextProps) =>
  isLong(props.text) ? <LongText {...props} /> : <CommentText {...props} />;

/** The beginning of a text, with a button that shows all of it. */
function LongText(props: FoldedTextProps) {
  const [isWhole, setWhole] = useState(false);
  const unfold = ({ currentTarget }: MouseEvent) => {
    // The button disappears.
    currentTarget.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    setWhole(true);
  };
  /** The browser has scrolled to a found word or a focused link in the hidden part, which then stays where it is. */
  const unfoldScrolled = ({ currentTarget }: UIEvent) => {
    const top = currentTarget.scrollTop;
    flushSync(() => setWhole(true));
    scrollBy({ top, behavior: 'instant' });
  };
  return (
    <>
      <div className={isWhole ? undefined : styles.folded} onScroll={unfoldScrolled}>
        <CommentText {...props} />
      </div>
      {!isWhole && (
        <button type="button" className={`bare target ${styles.unfold}`} onClick={unfold}>
          Leer entero
        </button>
      )}
    </>
  );
}

function isLong(text: string): boolean {
  const lines = text.split('\n').map(({ length }) => Math.max(1, Math.ceil(length / lineChars)));
  return lines.reduce((sum, count) => sum + count, 0) > mostLines;
}
