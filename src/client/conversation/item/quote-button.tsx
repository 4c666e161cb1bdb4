import { type ComponentProps, useLayoutEffect, useRef } from 'react';
import styles from './comment-tools.module.css';

/** A button below the selected part of a comment, positioned in the nearest positioned ancestor. */
export function QuoteButton(button: ComponentProps<'button'>) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      const selection = getSelection();
      const body = ref.current?.offsetParent;
      if (!ref.current || !body || !selection || selection.isCollapsed) return;
      const { bottom } = selection.getRangeAt(0).getBoundingClientRect();
      ref.current.style.top = `${bottom - body.getBoundingClientRect().top}px`;
    };
    place();
    document.addEventListener('selectionchange', place);
    return () => document.removeEventListener('selectionchange', place);
  }, []);
  return (
    <button
      {...button}
      ref={ref}
      type="button"
      className={`popup ${styles.quote}`}
      // Keeps the selection; without it the button would be removed before the click.
      onMouseDown={(event) => event.preventDefault()}
    />
  );
}
