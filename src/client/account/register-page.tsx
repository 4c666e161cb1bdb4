import { useEffect, useState } from 'react';
import { pages } from '../../shared/pages.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { TextField } from '../components/field.tsx';
import { Note } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { fieldText } from '../components/use-submit.ts';
import { Link } from '../router/navigation.tsx';
import { signInAfresh } from '../session/remembered-browser.ts';
import { goToLogin, useRedirectHome } from '../session/session-end.ts';
import {
  useIsHydration,
  useIsReady,
  useSite,
  useStore,
  useUser,
} from '../state/store-provider.tsx';
import { signIn, signUp } from './account-calls.ts';
import { AccountForm, EmailField, Outcome, outcomeOf, useGuestForm } from './account-form.tsx';
import { beginSession } from './begin-session.ts';
import { ErrorModal } from './error-modal.tsx';
import { NewPasswordField, usePasswordWarning } from './new-password-field.tsx';
import { forgetInvitation, useInvitation } from './use-invitation.ts';

/** The page of registration: a form, or why there is none. */
export function Register() {
  const isReady = useIsReady();
  const { registration } = useSite();
  const { isLogged } = useUser();
  const invitation = useInvitation();
  useRedirectHome('register');
  useEffect(() => {
    if (!isLogged || !invitation) return;
    forgetInvitation();
    showStatus({ text: accountTexts.invitationUnused });
  }, [isLogged, invitation]);
  const isClosed = registration === 'closed';
  // The server does not know the invitation, which is in the fragment.
  const isUninvited = registration === 'invitation' && isReady && !invitation;
  if (!isClosed && !isUninvited) return <RegisterForm />;
  const { registrationClosed, invitationNeeded } = accountTexts;
  return (
    <Outcome title={pages.register.title} detail={isClosed ? registrationClosed : invitationNeeded}>
      <Link href={pageRoutes.login}>{accountTexts.haveAccount}</Link>
    </Outcome>
  );
}

function RegisterForm() {
  const store = useStore();
  const invitation = useInvitation();
  const { registration, timesForms } = useSite();
  const { warning, mustWarn } = usePasswordWarning();
  const isHydration = useIsHydration();
  const [shownMs] = useState(() => (isHydration ? 0 : performance.now()));

  /** Whether an invitation was sent that is not valid, where none is needed. */
  const [isDropped, setDropped] = useState(false);

  const isNotValid = ({ problem }: Failure) =>
    problem?.code === 'invitation_required' && registration !== 'invitation';

  const { failure, isBusy, onSubmit } = useGuestForm(async (form, isShown) => {
    const name = fieldText(form, 'name');
    const email = fieldText(form, 'email');
    const password = fieldText(form, 'password');
    if (await mustWarn(password, [name, email])) return null;
    const result = await request(signUp, {
      ...{ name, email, password, img: assetRoutes.defaultAvatar },
      ...(invitation && { invitation }),
      ...(timesForms && { formMs: Math.round(performance.now() - shownMs) }),
    });
    // It has let somebody in, or it is not valid and none is needed.
    setDropped(Boolean(invitation) && !result.ok && isNotValid(result));
    if (result.ok || isNotValid(result)) forgetInvitation();
    if (!result.ok || !isShown()) return result;
    store.dispatch({ type: 'REGISTER_REQUEST', user: result.value });
    if (registration === 'request') {
      // The answer says how it goes on.
      const send = () => request(signIn, { email, password, isRemembered: false });
      const entered = await signInAfresh(send, false);
      if (!isShown() || (!entered.ok && outcomeOf(entered))) return entered;
      if (entered.ok) {
        beginSession(entered.value, store);
        return entered;
      }
    }
    goToLogin('account-created');
    showStatus({ text: accountTexts.accountCreated });
    return result;
  });
  const isTaken = failure?.problem?.code === 'email_taken';
  const isForbidden = failure?.problem?.status === 403;

  const outcome = outcomeOf(failure);
  if (outcome) {
    return (
      <Outcome {...outcome}>
        <Link href={pageRoutes.login}>{accountTexts.signIn}</Link>
      </Outcome>
    );
  }
  return (
    <>
      <AccountForm
        title={pages.register.title}
        submitLabel={accountTexts.signUp}
        isBusy={isBusy}
        onSubmit={onSubmit}
        failure={isTaken ? null : failure}
        isForGuests
        aside={<Link href={pageRoutes.login}>{accountTexts.haveAccount}</Link>}
      >
        {invitation && (
          <Note>
            {registration === 'request' ? accountTexts.invitedToAsk : accountTexts.invited}
          </Note>
        )}
        {registration === 'invitation' && (
          <noscript>
            <Note>{accountTexts.invitationNeeded}</Note>
          </noscript>
        )}
        {!invitation && registration === 'request' && <Note>{accountTexts.onRequest}</Note>}
        <TextField
          label={accountTexts.name}
          name="name"
          autoComplete="name"
          dir="auto"
          required
          hint={accountTexts.nameHint}
          error={fieldError(failure, 'name')}
        />
        <EmailField
          hint={accountTexts.emailHint}
          error={isTaken ? failureText(failure) : fieldError(failure, 'email')}
        />
        <NewPasswordField error={warning ?? fieldError(failure, 'password')} />
        <p>
          {accountTexts.acceptRules}
          <a href={pageRoutes.rules} target="_blank" rel="noopener">
            {accountTexts.rules}
          </a>
          .
        </p>
        {failure && isDropped && <Note>{accountTexts.withoutInvitation}</Note>}
      </AccountForm>
      {/* The form says why; the data are right. */}
      <ErrorModal failure={isForbidden ? null : failure} />
    </>
  );
}
