import { type MouseEvent, useLayoutEffect, useState } from 'react';
import type { EndedWays } from '../../shared/accounts.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { request } from '../api/request.ts';
import { changeEntry, entryState, useEntryState } from '../router/entry-state.ts';
import { go, isPlainClick } from '../router/navigation.tsx';
import { withNext } from '../router/next-page.ts';
import { signIn } from '../session/account-calls.ts';
import { beginSession } from '../session/begin-session.ts';
import { PasswordField } from '../session/passwords/password-field.tsx';
import { useRedirect } from '../session/redirect.ts';
import { moveReplyName } from '../session/reply-name.ts';
import { AccountForm, EmailField, Outcome, outcomeOf } from '../session/sign-in/account-form.tsx';
import { ErrorModal } from '../session/sign-in/error-modal.tsx';
import { PasskeyButton } from '../session/sign-in/passkey-button.tsx';
import { signInAfresh } from '../session/sign-in-afresh.ts';
import { takeTypedPassword } from '../session/typed-password.ts';
import { useHydrated, useStore, useUser } from '../state/store-provider.tsx';
import { accountTexts } from '../ui/account-texts.ts';
import { CheckField } from '../ui/forms/check-field.tsx';
import { useForm } from '../ui/forms/use-form.ts';
import { Alert, Note } from '../ui/notice.tsx';
import buttons from '../ui/styles/button.module.css';
import { WayInLink } from '../ui/way-in-link.tsx';

export function Login() {
  const store = useStore();
  const isReady = useHydrated();
  const { email } = useUser();
  useRedirect('login');
  const [tried, setTried] = useState('');
  const replyName = useEntryState((state) => state.replyName);
  useLayoutEffect(moveReplyName, []);

  const form = useForm({
    async send(text) {
      const isRemembered = text('remember') !== '';
      const [email, password] = [text('email'), text('password')];
      setTried(email);
      const send = () => request(signIn, { email, password, isRemembered });
      beginSession(await signInAfresh(send, isRemembered), store);
    },
  });
  const { failure, reset } = form;
  const { ref } = form.props;
  useLayoutEffect(() => {
    const password = takeTypedPassword();
    if (!password) return;
    const field = inputOf(ref.current, 'password');
    // As a value, not as an attribute, which would put it into the page's HTML.
    if (field) field.value = password;
    const box = inputOf(ref.current, 'remember');
    if (box) box.checked = entryState().loginReason === 'account-created' && isPhone();
  }, [ref]);
  /** Opens the form that recovers access, with the address that was typed here. */
  const recover = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const typed = inputOf(ref.current, 'email')?.value ?? '';
    go(withNext(pageRoutes.recover));
    changeEntry({ email: typed });
  };
  // The server does not say which of the two fields is wrong.
  const isWrong = failure?.code === 'wrong_credentials' || undefined;

  const outcome = outcomeOf(failure);
  if (outcome) {
    return (
      <Outcome {...outcome}>
        <button type="button" className={buttons.quiet} onClick={reset}>
          Volver a intentarlo
        </button>
      </Outcome>
    );
  }
  return (
    <>
      <AccountForm
        title={pages.login.title}
        submitLabel={accountTexts.signIn}
        form={form}
        isForGuests
        otherWay={<PasskeyButton onSignedIn={(signedIn) => beginSession(signedIn, store)} />}
        aside={
          <>
            <p>
              <span>¿Olvidaste tu contraseña?</span>{' '}
              <WayInLink href={pageRoutes.recover} onClick={recover}>
                Recuperar el acceso
              </WayInLink>
            </p>
            <p>¿Aún no tienes cuenta?</p>
            <WayInLink className={buttons.quiet} href={pageRoutes.register}>
              Registrarse
            </WayInLink>
          </>
        }
      >
        {isReady && !failure && <Reason reason={entryState().loginReason} />}
        {replyName && !failure && (
          <Note>
            Para responder a <bdi>{replyName}</bdi>, inicia sesión o regístrate.
          </Note>
        )}
        {/* After sign-up or account recovery, the state has the e-mail address. */}
        <EmailField defaultValue={tried || email} aria-invalid={isWrong} />
        <PasswordField autoComplete="current-password" aria-invalid={isWrong} />
        {/* A site without TLS cannot protect the cookie. */}
        {!(isReady && !isSecureContext) && (
          <CheckField
            label="Recordarme en este dispositivo"
            hint="Marca la casilla en tu teléfono: no tendrás que escribir la contraseña cada vez. No la marques en un dispositivo compartido."
            name="remember"
          />
        )}
      </AccountForm>
      <ErrorModal failure={failure} />
    </>
  );
}

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : null;
}

/** A phone is one person's; a tablet or a computer is often shared. */
const isPhone = () =>
  matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) < 600;

/**
 * Says that the new password is in force and how many passkeys and recovery codes it has ended, so that owners
 * notice any that an intruder created.
 */
function savedText(ended: EndedWays = { passkeys: 0, recoveryCodes: 0 }): string {
  const { passkeys, recoveryCodes } = ended;
  const ways = [
    ...(passkeys > 0 ? [`las llaves de acceso (${passkeys})`] : []),
    ...(recoveryCodes > 0 ? [`los códigos de recuperación (${recoveryCodes})`] : []),
  ];
  const text =
    'Tu contraseña nueva se ha guardado. Inicia sesión con ella: todas tus sesiones se han cerrado.';
  if (ways.length === 0) return text;
  return `${text} Tampoco sirven ya ${ways.join(' ni ')} que tenía la cuenta. Se crean de nuevo en Ajustes.`;
}

/** Shows why the page was opened without a link to it. */
function Reason({ reason }: { reason: string | undefined }) {
  switch (reason) {
    case 'session-lost':
      return <Alert>Tu sesión ha terminado. Inicia sesión otra vez.</Alert>;
    case 'drafts-kept':
      return (
        <Alert>
          Tu sesión ha terminado. Inicia sesión otra vez: los comentarios y canales a medias siguen
          donde los dejaste.
        </Alert>
      );
    case 'account-needed':
      return <Note>Inicia sesión para ver esa página.</Note>;
    case 'account-created':
      return <Note>Ya tienes cuenta. Solo falta iniciar sesión.</Note>;
    case 'password-saved':
      return <Note>{savedText(entryState().ended)}</Note>;
    default:
      return null;
  }
}
