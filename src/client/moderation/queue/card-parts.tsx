import type { ReactNode } from 'react';
import styles from './queue-card.module.css';

/** A section of a queue item, with a heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`stack tight ${styles.part}`}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Makes a long text scrollable, so that the buttons stay close. */
export function Scrolled({ text, children }: { text: string; children: ReactNode }) {
  if (text.length <= 600 && text.split('\n').length <= 15) return children;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
    <div className={styles.scrolled} tabIndex={0}>
      {children}
    </div>
  );
}
