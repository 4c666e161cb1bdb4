import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react';
import styles from './field.module.css';

interface Labelled {
  label: string;
  hint?: string | undefined;
  /** What is wrong with what was typed. */
  error?: string | undefined;
}

export function TextField({
  label,
  hint,
  error,
  ...input
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input {...input} {...describedBy(id, hint, error)} className={styles.input} />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

export function TextAreaField({
  label,
  hint,
  error,
  ...textarea
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...textarea}
        {...describedBy(id, hint, error)}
        className={styles.input}
        dir="auto"
      />
      <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

function describedBy(id: string, hint?: string, error?: string) {
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return {
    id,
    ...(error && { 'aria-invalid': true }),
    ...(notes && { 'aria-describedby': notes }),
  };
}

function Notes({ id, hint, error }: Omit<Labelled, 'label'> & { id: string }) {
  return (
    <>
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </>
  );
}
