import { pages } from '../../shared/pages.ts';
import { useFragmentKey } from '../router/navigation.tsx';
import { setPassword } from '../session/account-calls.ts';
import { PasswordField } from '../session/passwords/password-field.tsx';
import { usePasswordRequest } from '../session/passwords/use-password-request.ts';
import { AccountForm } from '../session/sign-in/account-form.tsx';
import { leaveForLogin } from '../session/sign-out.ts';
import { keepTypedPassword } from '../session/typed-password.ts';
import { useHydrated, useStore } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { useForm } from '../ui/forms/use-form.ts';
import { Alert } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import styles from '../ui/styles/form-page.module.css';

/** The page opened by a password link from a mail, an admin or the operator. The link's token is in the fragment. */
export function NewPassword() {
  const store = useStore();
  const isReady = useHydrated();
  const token = useFragmentKey();
  const requestPassword = usePasswordRequest();
  const form = useForm({
    fields: ['password'],
    async send(text) {
      const password = text('password');
      return { password, set: await requestPassword(setPassword, { token, password }) };
    },
    // A new password ends every session of the account, including this tab's.
    onSent({ password, set }) {
      keepTypedPassword(password);
      leaveForLogin(store, { loginReason: 'password-saved', ended: set }, set?.email);
    },
  });

  if (isReady && !token) {
    return (
      <div className={`page ${styles.page}`}>
        <PageTitle>{pages.password.title}</PageTitle>
        <Alert>
          A este enlace le falta una parte. Ábrelo otra vez desde el mensaje en el que lo recibiste
          o pide uno nuevo.
        </Alert>
      </div>
    );
  }

  return (
    <AccountForm title={pages.password.title} submitLabel={accountTexts.savePassword} form={form}>
      <PasswordField
        {...form.field('password')}
        hint="Al guardarla se cerrarán todas tus sesiones. Después, inicia sesión con la nueva."
      />
    </AccountForm>
  );
}
