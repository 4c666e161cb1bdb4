import type { ReactNode } from 'react';
import { ActionButton } from '../ui/forms/action-button.tsx';
import lists from '../ui/styles/list.module.css';
import styles from '../ui/styles/settings.module.css';

interface ItemProps {
  /** Text of the button. `fullLabel` also names the item, for screen readers. */
  label: string;
  fullLabel: string;
  'data-destroys'?: boolean;
  'aria-describedby'?: string;
  /** The button's action; undefined if the item has no button. */
  run: (() => Promise<unknown>) | undefined;
  children: ReactNode;
}

/** A list item in the settings, with an action button. */
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
