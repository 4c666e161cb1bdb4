import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccountEdit } from '../../shared/account-settings.ts';
import type { Profile } from '../../shared/accounts.ts';
import { getProfile } from '../account/account-calls.ts';
import { EmailField } from '../account/account-form.tsx';
import { NewPasswordField } from '../account/new-password-field.tsx';
import { usePasswordCheck } from '../account/password-warning.ts';
import { accountTexts } from '../account-texts.ts';
import { accountKey } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { callKey } from '../api/user-query.ts';
import buttons from '../components/button.module.css';
import { EmailText } from '../components/email-text.tsx';
import { TextField } from '../components/field.tsx';
import lists from '../components/list.module.css';
import { showStatus } from '../components/status-bar.tsx';
import type { Form } from '../components/use-form.ts';
import { refreshUser, tellTabs } from '../session/tabs.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { OtherWaysIn } from './other-ways-in.tsx';
import { PasswordForm } from './password-form.tsx';
import styles from './settings.module.css';
import { editAccount } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { settingsTexts } from './settings-texts.ts';

/** Name, e-mail address and password. */
export function AccountSection() {
  const { name, email } = useUser();
  const checkPassword = usePasswordCheck();
  return (
    <SettingsSection id="cuenta" title={settingsTexts.account}>
      <ul className={lists.list}>
        <AccountRow name="name" label={accountTexts.name} shown={name}>
          {(form) => (
            <TextField
              {...form.field('name')}
              label={settingsTexts.newName}
              autoComplete="name"
              defaultValue={name}
              dir="auto"
              required
              hint={settingsTexts.nameHint}
            />
          )}
        </AccountRow>
        <AccountRow name="email" label={accountTexts.email} shown={<EmailText email={email} />}>
          {(form) => (
            <EmailField
              {...form.field('email')}
              label={settingsTexts.newEmail}
              autoComplete="email"
              defaultValue={email}
              hint={settingsTexts.emailHint}
            />
          )}
        </AccountRow>
        <AccountRow
          name="password"
          label={accountTexts.password}
          saved={settingsTexts.passwordSaved}
          check={(password) => checkPassword(password, [name, email])}
          after={<OtherWaysIn />}
        >
          {(form) => (
            <NewPasswordField
              {...form.field('password')}
              label={settingsTexts.newPassword}
              hint={settingsTexts.passwordHint}
            />
          )}
        </AccountRow>
      </ul>
    </SettingsSection>
  );
}

interface AccountRowProps {
  /** The name of the value and of its field. */
  name: 'name' | 'email' | 'password';
  label: string;
  /** The value; undefined for one that is never shown. */
  shown?: ReactNode;
  /** The message that confirms the change. */
  saved?: string;
  /** Throws a `Failure` when a value must not be sent yet. */
  check?: (value: string) => Promise<void>;
  /** Shown below a value that was changed. */
  after?: ReactNode;
  /** The field for the new value. */
  children: (form: Form) => ReactNode;
}

/** A value of the account with a button that opens a form to change it. */
function AccountRow({
  name,
  label,
  shown,
  saved = settingsTexts.saved,
  check,
  after,
  children,
}: AccountRowProps) {
  const store = useStore();
  const queryClient = useQueryClient();
  const { id } = useUser();
  const [state, setState] = useState<'shown' | 'open' | 'saved'>('shown');
  const isOpen = state === 'open';

  const title = `${settingsTexts.change}: ${label}`;
  return (
    <li className={lists.item}>
      {isOpen ? (
        <PasswordForm
          title={title}
          submitLabel={accountTexts.save}
          field={name}
          send={async (text) => {
            await check?.(text(name));
            const change: AccountEdit = {
              [name]: text(name),
              currentPassword: text('currentPassword'),
            };
            const user = await request(editAccount, change);
            refreshUser(user, store);
            tellTabs();
            const profileKey = callKey(id, getProfile);
            queryClient.setQueryData<Profile>(profileKey, (old) => old && { ...old, ...user });
            // It ends sessions and recovery codes.
            if (name === 'password')
              await queryClient.invalidateQueries({ queryKey: accountKey(id) });
            showStatus({ text: saved });
          }}
          onSent={() => setState('saved')}
          onCancel={() => setState('shown')}
        >
          {children}
        </PasswordForm>
      ) : (
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
            type="button"
            className={buttons.quiet}
            aria-label={title}
            onClick={() => setState('open')}
          >
            {settingsTexts.change}
          </button>
        </>
      )}
      {state === 'saved' && after}
    </li>
  );
}
