import { useState } from 'react';
import { limits } from '../../shared/limits.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { withQueries } from '../api/with-queries.tsx';
import { useRules } from '../moderation/site/use-rules.ts';
import { useEntryState } from '../router/entry-state.ts';
import { PasswordField } from '../session/passwords/password-field.tsx';
import { usePasswordRequest } from '../session/passwords/use-password-request.ts';
import styles from '../session/recovery/recovery.module.css';
import { recover } from '../session/recovery/recovery-calls.ts';
import { AccountForm, EmailField, Outcome } from '../session/sign-in/account-form.tsx';
import { leaveForLogin } from '../session/sign-out.ts';
import { keepTypedPassword } from '../session/typed-password.ts';
import { useSite, useStore } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { Contact } from '../ui/contact.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { type FormOptions, useForm } from '../ui/forms/use-form.ts';
import buttons from '../ui/styles/button.module.css';
import { WayInLink } from '../ui/way-in-link.tsx';

/** Requests a link by e-mail, if the site sends mail, or sets a new password with a printed recovery code. */
function RecoverPage() {
  const { hasMail } = useSite();
  const [isByCode, setByCode] = useState(!hasMail);
  const [isChanged, setChanged] = useState(false);
  const change = () => {
    setByCode(!isByCode);
    setChanged(true);
  };
  // The button that had the focus is removed.
  const first = isChanged ? { first: 'input' } : {};
  if (!isByCode) return <RecoverByMail {...first} onOther={change} />;
  return <RecoverByCode {...first} onOther={hasMail ? change : undefined} />;
}

export const Recover = withQueries(RecoverPage);

interface WayProps extends Pick<FormOptions<unknown>, 'first'> {
  /** Switches to the other form; undefined when there is none. */
  onOther: (() => void) | undefined;
}

const sentText = `Si hay una cuenta con ese correo, llegará un enlace.

Caduca a los ${limits.passwordLinkMinutes} minutos y solo sirve una vez. ${accountTexts.mailMissing}

A una dirección sin confirmar no se envía ninguno: si no llegaste a confirmar la tuya, pide un enlace a quien administra el foro.`;

/** Whom to ask; undefined while that is not known, null without a contact. */
function useContact(): string | null | undefined {
  const { contact } = useStore().site;
  const { data } = useRules({ enabled: contact === undefined });
  return contact ?? data?.contact;
}

/** The address typed to sign in, if one comes from there. */
const useTypedEmail = () => useEntryState(({ email }) => email);

/**
 * The form that requests a link by e-mail. The response is the same for every address, so that it does not reveal
 * who has an account.
 */
function RecoverByMail({ onOther, ...options }: WayProps) {
  const [isSent, setSent] = useState(false);
  const contact = useContact();
  const email = useTypedEmail();
  const form = useForm({
    ...options,
    fields: ['email'],
    send: (text) => request(recover, { email: text('email') }),
    onSent: () => setSent(true),
  });
  const other = (
    <button type="button" className={buttons.quiet} onClick={onOther}>
      Usar un código impreso
    </button>
  );

  if (isSent) {
    return (
      <Outcome title="Revisa tu correo" detail={sentText} isForGuests={false}>
        {contact && (
          <p>
            <Contact contact={contact} />
          </p>
        )}
        {other}
      </Outcome>
    );
  }
  return (
    <AccountForm
      title={pages.recover.title}
      submitLabel="Enviar el enlace"
      form={form}
      aside={
        <>
          {other}
          <WayInLink href={pageRoutes.login}>{accountTexts.signIn}</WayInLink>
        </>
      }
    >
      <p>
        Escribe el correo de tu cuenta y te enviaremos un enlace para poner una contraseña nueva.
      </p>
      <EmailField {...form.field('email')} defaultValue={email} />
    </AccountForm>
  );
}

function RecoverByCode({ onOther, ...options }: WayProps) {
  const store = useStore();
  const contact = useContact();
  const typedEmail = useTypedEmail();
  const requestPassword = usePasswordRequest();
  const form = useForm({
    ...options,
    fields: ['email', 'code', 'password'],
    async send(text) {
      const [email, password] = [text('email'), text('password')];
      await requestPassword(recover, { email, code: text('code'), password });
      return { email, password };
    },
    // A new password ends every session of the account, including this tab's.
    onSent({ email, password }) {
      keepTypedPassword(password);
      leaveForLogin(store, { loginReason: 'password-saved' }, email);
    },
  });
  // The server does not say which of the two fields is wrong.
  const isWrong = form.failure?.code === 'recovery_failed' || undefined;

  return (
    <AccountForm
      title={pages.recover.title}
      submitLabel={accountTexts.savePassword}
      form={form}
      aside={
        <>
          {onOther && (
            <button type="button" className={buttons.quiet} onClick={onOther}>
              Recibir un enlace por correo
            </button>
          )}
          <WayInLink href={pageRoutes.login}>{accountTexts.signIn}</WayInLink>
        </>
      }
    >
      <div className={`stack tight ${styles.ways}`}>
        <p>
          {onOther
            ? 'Sin correo, hay dos formas de poner una contraseña nueva:'
            : 'Hay dos formas de poner una contraseña nueva:'}
        </p>
        <ul>
          <li>
            Con uno de los códigos de recuperación que creaste en Ajustes: rellena este formulario.
          </li>
          <li>
            <span>
              {`Si no tienes códigos, pide un enlace a quien administra el foro. El enlace caduca a los ${limits.passwordLinkMinutes} minutos y solo sirve una vez.`}
            </span>{' '}
            {contact && <Contact contact={contact} />}
          </li>
        </ul>
      </div>
      <EmailField {...form.field('email')} defaultValue={typedEmail} aria-invalid={isWrong} />
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
      <PasswordField
        {...form.field('password')}
        label="Contraseña nueva"
        hint="Al guardarla se cerrarán todas tus sesiones, y dejarán de servir los demás códigos y las llaves de acceso. Después, inicia sesión con la nueva."
      />
    </AccountForm>
  );
}
