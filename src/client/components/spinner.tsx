import styles from './spinner.module.css';

/** Only the turning ring; whoever shows it says in words what is going on. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** A quiet place for content that is on its way. */
export function Loading({ label }: { label: string }) {
  return (
    <p className={styles.loading} role="status">
      <Spinner />
      <span>{label}</span>
    </p>
  );
}
