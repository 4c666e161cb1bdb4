import { useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import { pages } from '../../../shared/pages.ts';
import { assetRoutes, pageRoutes } from '../../../shared/routes.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { useSite, useStore } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Note } from '../../ui/notice.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import settings from '../../ui/styles/settings.module.css';
import { WayInLink } from '../../ui/way-in-link.tsx';
import { signIn, signUp } from '../account-calls.ts';
import { beginSession } from '../begin-session.ts';
import { keepInvitedPage } from '../invited-page.ts';
import { PasswordField } from '../passwords/password-field.tsx';
import { usePasswordRequest } from '../passwords/use-password-request.ts';
import { goToLogin } from '../redirect.ts';
import { AccountForm, EmailField, Outcome, outcomeOf } from '../sign-in/account-form.tsx';
import { ErrorModal } from '../sign-in/error-modal.tsx';
import { signInAfresh } from '../sign-in-afresh.ts';
import { keepTypedPassword } from '../typed-password.ts';
import { InvitationNote, invitationNeededText } from './invitation-note.tsx';
import { discardInvitation, type OpenedInvitation } from './use-invitation.ts';

export const haveAccount = '¿Ya tienes cuenta? Inicia sesión';

interface RegisterFormProps {
  invitation: OpenedInvitation | null;
  /** Goes on without the invitation. */
  onDrop: () => void;
}

/** The form to sign up. Its invitation, if there is one, is sent with it. */
export function RegisterForm({ invitation, onDrop }: RegisterFormProps) {
  const store = useStore();
  const { changeSite } = store;
  const { readers, registration, hasMail } = useSite();
  const isFounder = invitation?.from?.name === null;
  const [lacksAt, setLacksAt] = useState(false);
  const requestPassword = usePasswordRequest();
  /** Whether an invalid invitation was sent although none is needed. */
  const [isDropped, setDropped] = useState(false);

  const form = useForm({
    fields: ['name', 'email', 'password', 'about'],
    async send(text, element) {
      const [name, email, password] = [text('name'), text('email'), text('password')];
      const user = await orFailure(
        requestPassword(signUp, {
          name,
          email,
          password,
          img: assetRoutes.defaultAvatar,
          ...(invitation && { invitation: invitation.code }),
          ...(registration === 'request' && { about: text('about') }),
        }),
      );
      const hasFailed = user instanceof Failure;
      const isNeeded = registration === 'invitation' || registration === 'closed';
      const isNotValid = hasFailed && user.code === 'invitation_required' && !isNeeded;
      // An invitation is discarded once it was used, or if it is invalid and not needed.
      setDropped(invitation !== null && isNotValid);
      if (isNotValid) onDrop();
      if (!hasFailed) discardInvitation();
      // The new account has the words.
      if (!hasFailed && invitation?.from?.words) {
        keepInvitedPage(invitation.from.target);
        showStatus({ text: 'Lo que escribiste llevará tu nombre en menos de un minuto.' });
      }
      if (hasFailed) throw user;
      if (isFounder) changeSite({ founderCommand: null });
      if (!element.isConnected) return;
      store.dispatch({ type: 'REGISTER_REQUEST', user });
      if (registration === 'request') {
        // The response says whether the account awaits approval.
        const send = () => request(signIn, { email, password, isRemembered: false });
        const entered = await orFailure(signInAfresh(send, false));
        if (!(entered instanceof Failure)) return beginSession(entered, store);
        if (!element.isConnected) return;
        if (outcomeOf(entered)) throw entered;
      }
      keepTypedPassword(password);
      goToLogin({ loginReason: 'account-created' });
    },
  });
  const { failure } = form;
  const isShownByForm = failure?.status === 403 || failure?.code === 'weak_password';

  const outcome = outcomeOf(failure);
  if (outcome) {
    return (
      <Outcome {...outcome}>
        <WayInLink href={pageRoutes.login}>{accountTexts.signIn}</WayInLink>
      </Outcome>
    );
  }
  return (
    <>
      <AccountForm
        title={pages.register.title}
        submitLabel="Registrarse"
        form={form}
        isForGuests
        aside={<WayInLink href={pageRoutes.login}>{haveAccount}</WayInLink>}
      >
        <InvitationNote invitation={invitation} />
        {registration === 'invitation' && (
          <noscript>
            <Note>{invitationNeededText}</Note>
          </noscript>
        )}
        {!invitation && registration === 'request' && (
          <Note>
            Cualquiera puede pedir una cuenta. Antes de que entres, alguien del equipo de moderación
            la tiene que aprobar.
          </Note>
        )}
        <TextField
          {...form.field('name')}
          label={accountTexts.name}
          autoComplete="name"
          dir="auto"
          required
          hint={
            readers === 'members'
              ? 'Lo verán los miembros junto a lo que escribas.'
              : 'Lo verá todo el mundo junto a lo que escribas.'
          }
        />
        <div className="stack tight">
          <EmailField
            {...form.field('email')}
            defaultValue={invitation?.from?.email ?? undefined}
            onInput={({ currentTarget: { value } }) =>
              setLacksAt(value.trim() !== '' && !value.includes('@'))
            }
            hint={
              hasMail
                ? 'No se muestra a nadie: sirve para iniciar sesión, recuperar el acceso y recibir avisos. Te enviaremos un enlace para confirmarlo.'
                : 'No se muestra a nadie: solo sirve para iniciar sesión y recuperar el acceso.'
            }
          />
          <div role="status" className={settings.progress}>
            {lacksAt && <p>Sin un correo no podrás recuperar el acceso.</p>}
          </div>
        </div>
        <PasswordField {...form.field('password')} />
        {registration === 'request' && (
          <TextAreaField
            {...form.field('about')}
            label="¿Quién eres?"
            hint="Solo lo lee el equipo de moderación, para decidir si entras. Después se borra."
            rows={4}
            maxLength={limits.aboutChars}
            // With a moderator's invitation no approval is needed, so nobody reads this text.
            required={!invitation}
          />
        )}
        <p>
          Al crear la cuenta aceptas las{' '}
          <a href={pageRoutes.rules} target="_blank" rel="noopener">
            normas (se abren en otra pestaña)
          </a>
          .
        </p>
        {failure && isDropped && <Note>Si lo envías otra vez, irá sin la invitación.</Note>}
      </AccountForm>
      {/* The form itself shows why; the credentials are not wrong. */}
      <ErrorModal failure={isShownByForm ? null : failure} />
    </>
  );
}
