import type { MouseEvent, ReactNode } from 'react';
import styles from './notice.module.css';
import buttons from './styles/button.module.css';
import { texts } from './texts.ts';

interface AlertProps {
  id?: string;
  /** Whether it is scrolled into view when it appears, since its cause may be far from it. */
  isScrolledTo?: boolean;
  children: ReactNode;
}

/** An error message. Screen readers announce it when it appears. */
export function Alert({ id, isScrolledTo = false, children }: AlertProps) {
  return (
    <p ref={isScrolledTo ? scrollTo : undefined} id={id} role="alert" className={styles.alert}>
      {children}
    </p>
  );
}

function scrollTo(alert: HTMLElement | null): void {
  alert?.scrollIntoView({ block: 'nearest' });
}

/** Good news beside what it is about. Not announced: the focus is on the page's heading above it. */
export function Note({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.note}>
      {children}
    </p>
  );
}

interface LoadFailureProps {
  message: string;
  onRetry: () => void;
}

export function LoadFailure({ message, onRetry }: LoadFailureProps) {
  return (
    <div className={`row ${styles.failure}`}>
      <p role="alert">{message}</p>
      <RetryButton onRetry={onRetry} />
    </div>
  );
}

/** Tries again what failed. A success removes it, so the focus first moves to the element around it. */
export function RetryButton({ onRetry }: Pick<LoadFailureProps, 'onRetry'>) {
  const retry = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    onRetry();
  };
  return (
    <button type="button" className={buttons.quiet} onClick={retry}>
      {texts.retry}
    </button>
  );
}
