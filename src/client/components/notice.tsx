import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import buttons from './button.module.css';
import styles from './notice.module.css';

/** An error message beside its cause. Screen readers announce it when it appears. */
export function Alert({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className={styles.alert}>
      {children}
    </p>
  );
}

/** Good news beside what it is about. Not announced: the focus is on the page's heading above it. */
export function Note({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

interface LoadFailureProps {
  message: string;
  onRetry: () => void;
}

export function LoadFailure({ message, onRetry }: LoadFailureProps) {
  return (
    <div className={styles.failure}>
      <p role="alert">{message}</p>
      <button type="button" className={buttons.quiet} onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  );
}
