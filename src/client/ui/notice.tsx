import type { MouseEvent, ReactNode } from 'react';
import styles from './notice.module.css';
import buttons from './styles/button.module.css';
import { texts } from './texts.ts';

interface AlertProps {
  id?: string;
  /** Whether it is scrolled into view when it appears, since its cause may be far away. */
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

/** A message that is not an error, beside its subject. Not announced: the focus is on the heading above it. */
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

/** A retry button. Success removes it, so the focus first moves to an ancestor. */
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
