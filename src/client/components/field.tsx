import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  label: string;
  /** What is wrong with what was typed. */
  error?: string | undefined;
}

export function TextField({
  label,
  error,
  ...input
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input {...input} {...describedBy(id, error)} className={styles.input} />
      <FieldError id={id} error={error} />
    </div>
  );
}

export function TextAreaField({
  label,
  error,
  ...textarea
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea {...textarea} {...describedBy(id, error)} className={styles.input} dir="auto" />
      <FieldError id={id} error={error} />
    </div>
  );
}

function describedBy(id: string, error: string | undefined) {
  return error ? { id, 'aria-invalid': true, 'aria-describedby': `${id}-error` } : { id };
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    error && (
      <p id={`${id}-error`} className={styles.error}>
        {error}
      </p>
    )
  );
}
