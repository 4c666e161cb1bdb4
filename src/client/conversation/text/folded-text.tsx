import type { ComponentProps, MouseEvent } from 'react';
import { commentAnchor } from '../../../shared/routes.ts';
import { CommentText } from './comment-text.tsx';
import styles from './folded-text.module.css';

/** The style sheet folds a text of more lines than this, as they break on a wide page, after half as many. */
const mostLines = 40;
const lineChars = 75;

interface FoldedTextProps extends Pick<ComponentProps<typeof CommentText>, 'text' | 'mentions'> {
  /** Number of the comment. */
  number: number;
}

/**
 * The text of a comment of which only the beginning is shown if it is long, with a link that shows all of it, also before
 * hydration. A text is also whole once something in it has the focus, or the browser has scrolled it to a word.
 */
export function FoldedText({ number, ...props }: FoldedTextProps) {
  const text = <CommentText {...props} />;
  if (countLines(props.text) <= mostLines) return text;
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what the browser does with its content */}
      <div
        ref={(folded) => {
          if (folded && folded.scrollTop > 0) unfold(folded);
        }}
        className={styles.folded}
        onFocus={({ currentTarget }) => unfold(currentTarget)}
        onScroll={({ currentTarget }) => unfold(currentTarget)}
      >
        {text}
      </div>
      <a
        className={`bare target ${styles.unfold}`}
        href={`#${commentAnchor(number)}`}
        onClick={unfoldAndFocus}
      >
        Leer entero
      </a>
    </>
  );
}

/** How many lines a text takes on a wide page, about. */
const countLines = (text: string) =>
  text.split('\n').reduce((lines, { length }) => lines + 1 + Math.floor(length / lineChars), 0);

/** Shows the whole text of the comment that an element is in. */
export const unfold = (element: Element) => element.closest('li')?.setAttribute('data-whole', '');

function unfoldAndFocus(event: MouseEvent) {
  event.preventDefault();
  unfold(event.currentTarget);
  // The link is no longer shown.
  event.currentTarget.closest('li')?.focus({ preventScroll: true });
}
