import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccountEdit } from '../../shared/account-settings.ts';
import type { Profile } from '../../shared/accounts.ts';
import { accountKey } from '../api/query-client.ts';
import { callKey } from '../api/user-query.ts';
import { getProfile } from '../session/account-calls.ts';
import { PasswordField } from '../session/passwords/password-field.tsx';
import { usePasswordRequest } from '../session/passwords/use-password-request.ts';
import { refreshUser } from '../session/save-session.ts';
import { EmailField } from '../session/sign-in/account-form.tsx';
import { tellTabs } from '../session/tabs.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { EmailText } from '../ui/email-text.tsx';
import { TextField } from '../ui/forms/field.tsx';
import type { Form } from '../ui/forms/use-form.ts';
import { showStatus } from '../ui/status/status-bar.tsx';
import buttons from '../ui/styles/button.module.css';
import lists from '../ui/styles/list.module.css';
import styles from '../ui/styles/settings.module.css';
import { OtherWaysIn } from './other-ways-in.tsx';
import { PasswordForm } from './password-form.tsx';
import { editAccount } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';

const changeText = 'Cambiar';

/** The section with the account's name, e-mail address and password. */
export function AccountSection() {
  const { name, email } = useUser();
  const { hasMail } = useStore().site;
  return (
    <SettingsSection id="cuenta" title="Cuenta">
      <ul className={`frame ${lists.list}`}>
        <AccountRow name="name" label={accountTexts.name} shown={name}>
          {(form) => (
            <TextField
              {...form.field('name')}
              label="Nombre nuevo"
              autoComplete="name"
              defaultValue={name}
              dir="auto"
              required
              hint="Se puede cambiar una vez al día. También cambia en lo que ya has escrito."
            />
          )}
        </AccountRow>
        <AccountRow
          name="email"
          label={accountTexts.email}
          shown={<EmailText email={email} />}
          {...(hasMail && { saved: 'Guardado. Te hemos enviado un enlace para confirmarlo.' })}
        >
          {(form) => (
            <EmailField
              {...form.field('email')}
              label="Correo electrónico nuevo"
              autoComplete="email"
              defaultValue={email}
              hint={
                hasMail
                  ? 'Con él inicias sesión. Nadie más lo ve. Le enviaremos un enlace para confirmarlo y, si el de ahora está confirmado, un aviso a este.'
                  : 'Con él inicias sesión. Nadie más lo ve.'
              }
            />
          )}
        </AccountRow>
        <AccountRow
          name="password"
          label={accountTexts.password}
          saved="Contraseña guardada. Se han cerrado tus demás sesiones y los códigos de recuperación anteriores ya no sirven."
          after={<OtherWaysIn />}
        >
          {(form) => (
            <PasswordField
              {...form.field('password')}
              label="Contraseña nueva"
              hint="Al guardarla se cerrarán tus demás sesiones y dejarán de servir tus códigos de recuperación."
            />
          )}
        </AccountRow>
      </ul>
    </SettingsSection>
  );
}

interface AccountRowProps {
  /** Also the name of the form field. */
  name: 'name' | 'email' | 'password';
  label: string;
  /** The current value; undefined for one that is never shown. */
  shown?: ReactNode;
  /** The message that confirms the change. */
  saved?: string;
  /** Shown below the value once it was changed. */
  after?: ReactNode;
  /** Renders the field for the new value. */
  children: (form: Form) => ReactNode;
}

/** A value of the account with a button that opens a form to change it. */
function AccountRow({ name, label, shown, saved = 'Guardado', after, children }: AccountRowProps) {
  const store = useStore();
  const requestPassword = usePasswordRequest();
  const queryClient = useQueryClient();
  const { id } = useUser();
  const [state, setState] = useState<'shown' | 'open' | 'saved'>('shown');
  const isOpen = state === 'open';

  const title = `${changeText}: ${label}`;
  return (
    <li className={`row ${lists.item}`}>
      {isOpen ? (
        <PasswordForm
          title={title}
          submitLabel={accountTexts.save}
          field={name}
          send={async (text) => {
            const change: AccountEdit = {
              [name]: text(name),
              currentPassword: text('currentPassword'),
            };
            const user = await requestPassword(editAccount, change);
            refreshUser(user, store);
            tellTabs();
            const profileKey = callKey(id, getProfile);
            queryClient.setQueryData<Profile>(profileKey, (old) => old && { ...old, ...user });
            // A new password ends sessions and recovery codes; a new e-mail address is not confirmed yet.
            if (name !== 'name') await queryClient.invalidateQueries({ queryKey: accountKey(id) });
            showStatus({ text: saved });
          }}
          onSent={() => setState('saved')}
          onCancel={() => setState('shown')}
        >
          {children}
        </PasswordForm>
      ) : (
        <>
          <p className={`${lists.what} ${styles.value}`}>
            <strong>{label}</strong>
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
            {changeText}
          </button>
        </>
      )}
      {state === 'saved' && after}
    </li>
  );
}
