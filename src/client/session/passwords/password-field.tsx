import { type InputHTMLAttributes, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useHydrated } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { Field, type FieldProps } from '../../ui/forms/field.tsx';
import styles from './password-field.module.css';

type PasswordFieldProps = Partial<FieldProps> & InputHTMLAttributes<HTMLInputElement>;

/** A password field, for a new password unless said otherwise, with a button that shows and hides the password. Submitting the form hides it. */
export function PasswordField({
  label = accountTexts.password,
  hint,
  error,
  ...input
}: PasswordFieldProps) {
  const isReady = useHydrated();
  const [isRevealed, setRevealed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const selection = useRef<[number | null, number | null]>([null, null]);

  useEffect(() => {
    const form = field.current?.form;
    const hide = () => setRevealed(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);

  // Browsers move the caret when the type of a field changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it restores the caret, which a change of the input's type resets
  useLayoutEffect(() => {
    const [start, end] = selection.current;
    if (start !== null) field.current?.setSelectionRange(start, end);
  }, [isRevealed]);

  const toggle = () => {
    selection.current = [
      field.current?.selectionStart ?? null,
      field.current?.selectionEnd ?? null,
    ];
    setRevealed(!isRevealed);
  };

  return (
    <Field label={label} hint={hint} error={error}>
      {({ className, ...attributes }) => (
        <div className="row tight field-row">
          <input
            ref={field}
            name="password"
            type={isRevealed ? 'text' : 'password'}
            autoComplete="new-password"
            autoCapitalize="none"
            // A visible password would be sent to the browser's spelling service.
            spellCheck={false}
            required
            {...input}
            {...attributes}
            className={className}
          />
          <button
            type="button"
            className={styles.toggle}
            disabled={!isReady}
            // Keeps the focus in the field, and a phone's keyboard open.
            onMouseDown={(event) => event.preventDefault()}
            onClick={toggle}
          >
            <span>{isRevealed ? 'Ocultar' : 'Mostrar'}</span>
            <span className="visually-hidden"> {label}</span>
          </button>
        </div>
      )}
    </Field>
  );
}
