import type { ComponentProps, MouseEvent } from 'react';
import { CommentText } from './comment-text.tsx';
import styles from './folded-text.module.css';

/** The style sheet folds a text of more lines than this, as they break on a wide page, after half as many. */
const mostLines = 40;
const lineEnd = /\n|.{60}/;

/** The text of a comment of which only the beginning is shown if it is long, with a button that shows all of it. */
export function FoldedText(props: Pick<ComponentProps<typeof CommentText>, 'text' | 'mentions'>) {
  const text = <CommentText {...props} />;
  if (props.text.split(lineEnd).length <= mostLines) return text;
  return (
    <>
      <div className={styles.folded}>{text}</div>
      <button type="button" className={`bare target ${styles.unfold}`} onClick={unfold}>
        Leer entero
      </button>
    </>
  );
}

function unfold({ currentTarget }: MouseEvent) {
  const item = currentTarget.closest('li');
  item?.setAttribute('data-whole', '');
  // The button is no longer shown.
  item?.focus({ preventScroll: true });
}
