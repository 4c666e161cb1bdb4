import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import styles from './check-field.module.css';

interface CheckFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
}

/** A checkbox or, with the type `radio`, a radio button. Clicking its label selects it. */
export function CheckField({ label, hint, ...input }: CheckFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label}>
        <input
          type="checkbox"
          {...input}
          className={styles.box}
          aria-describedby={hint ? id : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p id={id} className={`${styles.hint} note`}>
          {hint}
        </p>
      )}
    </div>
  );
}
