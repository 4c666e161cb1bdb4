import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccountEdit } from '../../shared/account-settings.ts';
import type { Profile, User } from '../../shared/accounts.ts';
import { getProfile } from '../account/account-calls.ts';
import { accountTexts } from '../account-texts.ts';
import { request } from '../api/request.ts';
import { callKey } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import lists from '../components/list.module.css';
import { showStatus } from '../components/status-bar.tsx';
import { refreshUser, tellTabs } from '../session/tabs.ts';
import { useStore } from '../state/store-provider.tsx';
import { PasswordForm } from './password-form.tsx';
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
  children: (field: { error: string | undefined; readOnly: boolean }) => ReactNode;
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
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const opener = useOpener(isOpen);

  const open = () => {
    setSaved(false);
    onOpen?.();
    setOpen(true);
  };
  const close = () => setOpen(false);

  const send = async (currentPassword: string, form: HTMLFormElement) => {
    const change = await edit(form);
    return change && request(editAccount, { ...change, currentPassword });
  };
  const onSent = async (user: User, isShown: () => boolean) => {
    refreshUser(user, store);
    queryClient.setQueryData<Profile>(
      callKey(user.id, getProfile),
      (old) => old && { ...old, ...user },
    );
    tellTabs();
    await onSaved?.();
    if (!isShown()) showStatus({ text: saved });
    close();
    setSaved(true);
  };

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
        <PasswordForm
          title={`${settingsTexts.change}: ${label}`}
          submitLabel={accountTexts.save}
          field={field}
          send={send}
          onSent={onSent}
          onCancel={close}
        >
          {children}
        </PasswordForm>
      )}
      <p className={styles.saved} role="status">
        {isSaved && saved}
      </p>
      {isSaved && after}
    </li>
  );
}
