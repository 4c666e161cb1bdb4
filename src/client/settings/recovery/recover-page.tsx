import { pages } from '../../../shared/pages.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { AccountForm, EmailField } from '../../account/account-form.tsx';
import { NewPasswordField } from '../../account/new-password-field.tsx';
import { usePasswordCheck } from '../../account/password-warning.ts';
import { accountTexts } from '../../account-texts.ts';
import { request } from '../../api/request.ts';
import { Contact } from '../../components/contact.tsx';
import { TextField } from '../../components/field.tsx';
import { useForm } from '../../components/use-form.ts';
import { Link } from '../../router/navigation.tsx';
import { useRules } from '../../rules/use-rules.ts';
import { leaveForLogin } from '../../session/session-end.ts';
import { useStore } from '../../state/store-provider.tsx';
import styles from './recovery.module.css';
import { recover } from './recovery-calls.ts';

/** Sets a new password with one of the printed codes. */
export function Recover() {
  const { dispatch, site } = useStore();
  const { data } = useRules({ enabled: site.contact === undefined });
  const contact = site.contact ?? data?.contact;
  const checkPassword = usePasswordCheck();
  const form = useForm({
    fields: ['email', 'code', 'password'],
    async send(text) {
      const [email, password] = [text('email'), text('password')];
      await checkPassword(password, [email]);
      await request(recover, { email, code: text('code'), password });
      return email;
    },
    // A new password ends every session of the account, this tab's too.
    onSent: (email) => leaveForLogin(dispatch, 'password-saved', email),
  });
  // The server does not say which of the two fields is wrong.
  const isWrong = form.failure?.code === 'recovery_failed' || undefined;

  return (
    <AccountForm
      title={pages.recover.title}
      submitLabel={accountTexts.savePassword}
      form={form}
      aside={<Link href={pageRoutes.login}>{accountTexts.signIn}</Link>}
    >
      <div className={styles.ways}>
        <p>Hay dos formas de poner una contraseña nueva:</p>
        <ul>
          <li>
            Con uno de los códigos de recuperación que creaste en Ajustes: rellena este formulario.
          </li>
          <li>
            <span>
              Si no tienes códigos, pide un enlace a quien administra el foro. El enlace caduca a
              los 30 minutos y solo sirve una vez.
            </span>{' '}
            {contact && <Contact contact={contact} />}
          </li>
        </ul>
      </div>
      <EmailField {...form.field('email')} aria-invalid={isWrong} />
      <TextField
        {...form.field('code')}
        label="Código de recuperación"
        hint="Por ejemplo, 7K3M-Q9XT-0ABC-DEFG. Las mayúsculas, los espacios y los guiones dan igual."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        aria-invalid={isWrong}
      />
      <NewPasswordField
        {...form.field('password')}
        label="Contraseña nueva"
        hint={accountTexts.passwordEndsSessions}
      />
    </AccountForm>
  );
}
