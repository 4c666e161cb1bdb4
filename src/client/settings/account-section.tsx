import type { ReactNode } from 'react';
import { EmailField } from '../account/account-form.tsx';
import { NewPasswordField, usePasswordWarning } from '../account/new-password-field.tsx';
import { accountTexts } from '../account-texts.ts';
import { EmailText } from '../components/email-text.tsx';
import { TextField } from '../components/field.tsx';
import lists from '../components/list.module.css';
import { fieldText } from '../components/use-submit.ts';
import { useUser } from '../state/store-provider.tsx';
import { AccountRow } from './account-row.tsx';
import { SettingsSection } from './settings-section.tsx';
import { settingsTexts } from './settings-texts.ts';

/** Name, e-mail address and password. */
export function AccountSection({
  onNewPassword,
  afterPassword,
}: {
  onNewPassword: () => Promise<void>;
  /** Shown below a password that was changed. */
  afterPassword: ReactNode;
}) {
  const { name, email } = useUser();
  const { warning, mustWarn, clearWarning } = usePasswordWarning();
  return (
    <SettingsSection id="cuenta" title={settingsTexts.account}>
      <ul className={lists.list}>
        <AccountRow
          field="name"
          label={accountTexts.name}
          shown={name}
          edit={(form) => ({ name: fieldText(form, 'name') })}
        >
          {(field) => (
            <TextField
              label={settingsTexts.newName}
              name="name"
              autoComplete="name"
              defaultValue={name}
              dir="auto"
              required
              hint={settingsTexts.nameHint}
              {...field}
            />
          )}
        </AccountRow>
        <AccountRow
          field="email"
          label={accountTexts.email}
          shown={<EmailText email={email} />}
          edit={(form) => ({ email: fieldText(form, 'email') })}
        >
          {(field) => (
            <EmailField
              label={settingsTexts.newEmail}
              autoComplete="email"
              defaultValue={email}
              hint={settingsTexts.emailHint}
              {...field}
            />
          )}
        </AccountRow>
        <AccountRow
          field="password"
          label={accountTexts.password}
          saved={settingsTexts.passwordSaved}
          edit={async (form) => {
            const password = fieldText(form, 'password');
            return (await mustWarn(password, [name, email])) ? null : { password };
          }}
          onOpen={clearWarning}
          onSaved={onNewPassword}
          after={afterPassword}
        >
          {(field) => (
            <NewPasswordField
              label={settingsTexts.newPassword}
              hint={settingsTexts.passwordHint}
              {...field}
              error={warning ?? field.error}
            />
          )}
        </AccountRow>
      </ul>
    </SettingsSection>
  );
}
