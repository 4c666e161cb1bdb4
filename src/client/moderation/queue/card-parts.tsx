import type { ReactNode } from 'react';
import styles from './queue-card.module.css';

/** A part of an item of the queue, with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack tight ${styles.part}`}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Scrolls a long text, so that the buttons stay near. */
export function Scrolled({ text, children }: { text: string; children: ReactNode }) {
  if (text.length <= 600 && text.split('\n').length <= 15) return children;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <div className={styles.scrolled} tabIndex={0}>
      {children}
    </div>
  );
}
