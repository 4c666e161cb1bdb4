import type { ReactNode } from 'react';
import { ActionButton } from '../ui/forms/action-button.tsx';
import lists from '../ui/styles/list.module.css';
import styles from '../ui/styles/settings.module.css';

interface ItemProps {
  /** What the button says, and with what it is about. */
  label: string;
  fullLabel: string;
  'data-destroys'?: boolean;
  'aria-describedby'?: string;
  /** Undefined for an item that stays. */
  run: (() => Promise<unknown>) | undefined;
  children: ReactNode;
}

/** An item of a list in the settings, with a button that takes it away. */
export function Item({ label, fullLabel, run, children, ...button }: ItemProps) {
  return (
    <li tabIndex={-1} className={`row ${lists.item}`}>
      <div className={`${lists.what} ${styles.brief}`}>{children}</div>
      {run && (
        <ActionButton aria-label={fullLabel} {...button} run={run}>
          {label}
        </ActionButton>
      )}
    </li>
  );
}
