import { type ReactNode, useState } from 'react';
import styles from './event-tools.module.css';

/** A part that is loaded once it is opened. */
export function Opened({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.whole}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles.open}>{label}</summary>
      {isOpen && children}
    </details>
  );
}
