import { type ReactNode, useState } from 'react';
import type { AccountEdit } from '../../shared/account-settings.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { Alert } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { refreshUser, tellTabs } from '../session/tabs.ts';
import { useStore } from '../state/store-provider.tsx';
import { CurrentPasswordField, passwordError } from './current-password-field.tsx';
import { PasswordOwner } from './password-owner.tsx';
import styles from './settings.module.css';
import { editAccount } from './settings-calls.ts';
import { settingsTexts } from './settings-texts.ts';
import { useOpener } from './use-opener.ts';

type Change = Omit<AccountEdit, 'currentPassword'>;

interface AccountRowProps {
  field: keyof Change;
  label: string;
  /** The value; undefined for one that is never shown. */
  shown?: ReactNode;
  /** The message that confirms the change. */
  saved?: string;
  /** Reads the change from the fields of the form; null when it must not be sent yet. */
  edit: (form: HTMLFormElement) => Change | null | Promise<Change | null>;
  onOpen?: () => void;
  /** Awaited before the change is confirmed. */
  onSaved?: () => Promise<void>;
  /** Shown below the confirmation. */
  after?: ReactNode;
  /** The field for the new value. */
  children: (error: string | undefined) => ReactNode;
}

/** A value of the account with a button that opens a form to change it. */
export function AccountRow({
  field,
  label,
  shown,
  saved = settingsTexts.saved,
  edit,
  onOpen,
  onSaved,
  after,
  children,
}: AccountRowProps) {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const opener = useOpener(isOpen);

  const open = () => {
    setSaved(false);
    setFailure(null);
    onOpen?.();
    setOpen(true);
  };
  const close = () => setOpen(false);

  const { isBusy, onSubmit } = useSubmit(async (submitted, isShown) => {
    setFailure(null);
    const change = await edit(submitted);
    if (!change) return;
    const currentPassword = fieldText(submitted, 'currentPassword');
    const result = await request(editAccount, { ...change, currentPassword });
    if (!isShown()) return;
    if (!result.ok) return setFailure(result);
    refreshUser(result.value, store);
    tellTabs();
    await onSaved?.();
    if (!isShown()) return;
    close();
    setSaved(true);
  });

  const { value, other } = messages(failure, field);
  return (
    <li className={lists.item}>
      {!isOpen && (
        <>
          <p className={`${lists.what} ${styles.brief}`}>
            <span className={styles.label}>{label}</span>
            <br />
            {shown === undefined ? (
              <span aria-hidden="true">{'•'.repeat(8)}</span>
            ) : (
              <bdi>{shown}</bdi>
            )}
          </p>
          <button
            ref={opener}
            type="button"
            className={buttons.quiet}
            aria-label={`${settingsTexts.change}: ${label}`}
            onClick={open}
          >
            {settingsTexts.change}
          </button>
        </>
      )}
      {isOpen && (
        <form
          ref={selectFirst}
          className={styles.form}
          method="post"
          aria-label={`${settingsTexts.change}: ${label}`}
          onSubmit={onSubmit}
        >
          <PasswordOwner />
          {children(value)}
          <CurrentPasswordField failure={failure} />
          {other && <Alert>{other}</Alert>}
          <p className="buttons">
            <SubmitButton label={accountTexts.save} isBusy={isBusy} />
            <button type="button" className={buttons.quiet} onClick={close}>
              {accountTexts.cancel}
            </button>
          </p>
        </form>
      )}
      <p className={styles.saved} role="status">
        {isSaved && saved}
      </p>
      {isSaved && after}
    </li>
  );
}

/** Moves the focus to the first field of a form that has just been opened. */
function selectFirst(form: HTMLFormElement | null): void {
  const input = form?.querySelector<HTMLInputElement>('input:not([hidden])');
  input?.focus();
  input?.select();
}

/** Assigns the message of a failure to the field, or to an alert above the buttons. */
function messages(failure: Failure | null, field: string) {
  const text = failure && failureText(failure);
  const value = fieldError(failure, field);
  if (!text || value || passwordError(failure)) return { value };
  // The value is taken, such as an e-mail address of another account.
  if (failure?.problem?.status === 409) return { value: text };
  return { other: text };
}
