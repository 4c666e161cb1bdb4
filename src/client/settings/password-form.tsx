import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ShowablePasswordField } from '../account/new-password-field.tsx';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError, type Result } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { askAgain } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import { Alert } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useUser } from '../state/store-provider.tsx';
import styles from './settings.module.css';
import { settingsTexts } from './settings-texts.ts';

interface PasswordFormProps<Output> {
  title: string;
  submitLabel: string;
  /** The name of the field that is shown above the password. */
  field?: string;
  /** Resolves to null when nothing is sent yet. */
  send: (
    currentPassword: string,
    form: HTMLFormElement,
    isShown: () => boolean,
  ) => Promise<Result<Output> | null>;
  /** Called also when the page was left meanwhile: what the server did must be said. */
  onSent: (value: Output, isShown: () => boolean) => Promise<void> | void;
  onCancel: () => void;
  /** @param field its `error` is why the value of `field` is not accepted */
  children?: (field: { error: string | undefined; readOnly: boolean }) => ReactNode;
}

/** A form that changes the account, and asks for the current password. Its first field gets the focus. */
export function PasswordForm<Output>({
  title,
  submitLabel,
  field = '',
  send,
  onSent,
  onCancel,
  children,
}: PasswordFormProps<Output>) {
  const queryClient = useQueryClient();
  const { id, email } = useUser();
  const [failure, setFailure] = useState<Failure | null>(null);
  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const result = await send(fieldText(form, 'currentPassword'), form, isShown);
    if (!result) return;
    if (result.ok) return onSent(result.value, isShown);
    if (isUnknown(result)) await askAgain(queryClient, { queryKey: accountKey(id) });
    setFailure(result);
  });

  const errors = errorsOf(failure, field);
  return (
    <form
      ref={selectFirst}
      className={styles.form}
      method="post"
      aria-label={title}
      onSubmit={onSubmit}
    >
      {/* For password managers, which otherwise take the field before the password for the user's name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {children?.({ error: errors.value, readOnly: isBusy })}
      <ShowablePasswordField
        label={settingsTexts.currentPassword}
        name="currentPassword"
        autoComplete="current-password"
        error={errors.password}
        readOnly={isBusy}
      />
      {errors.other && <Alert>{errors.other}</Alert>}
      <p className="buttons">
        <SubmitButton label={submitLabel} isBusy={isBusy} />
        <button
          type="button"
          className={buttons.quiet}
          aria-disabled={isBusy || undefined}
          onClick={() => isBusy || onCancel()}
        >
          {accountTexts.cancel}
        </button>
      </p>
    </form>
  );
}

/** Moves the focus to the first field of a form that has just been opened. */
function selectFirst(form: HTMLFormElement | null): void {
  const input = form?.querySelector<HTMLInputElement>('input:not([hidden])');
  input?.focus();
  input?.select();
}

/** Whether the server may have done what was asked for. */
const isUnknown = ({ problem }: Failure) => !problem || problem.status >= 500;

/** Assigns the message of a failure to one of the fields, or to an alert above the buttons. */
function errorsOf(failure: Failure | null, field: string) {
  const value = fieldError(failure, field);
  const password = fieldError(failure, 'currentPassword');
  if (!failure || value || password) return { value, password };
  const text = failureText(failure) + (isUnknown(failure) ? ` ${settingsTexts.maybeDone}` : '');
  if (failure.problem?.code === 'wrong_password') return { password: text };
  // The value is taken, such as an e-mail address of another account.
  return failure.problem?.status === 409 && field ? { value: text } : { other: text };
}
