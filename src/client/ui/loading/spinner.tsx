import styles from './spinner.module.css';

/** Only the ring, hidden from screen readers: use it beside text or on a labelled button. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** A placeholder for loading content. */
export function Loading({ label }: { label: string }) {
  return (
    <p className={styles.loading} role="status" data-loading>
      <Spinner />
      <span>{label}</span>
    </p>
  );
}
