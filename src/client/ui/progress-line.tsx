import styles from './progress-line.module.css';

interface ProgressLineProps {
  /** Names the task for screen readers. */
  label: string;
  percent: number;
  text: string;
}

/** A progress bar, with its amount in words beside it. */
export const ProgressLine = ({ label, percent, text }: ProgressLineProps) => (
  <p className="row">
    <progress className={styles.bar} aria-label={label} max={100} value={percent} />
    <span className={styles.amount}>{text}</span>
  </p>
);
