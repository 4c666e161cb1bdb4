import { useEffect } from 'react';
import { errorTexts } from '../../shared/error-texts.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { useRedirect } from '../session/redirect.ts';
import { Outcome } from '../session/sign-in/account-form.tsx';
import { invitationNeededText, RefusedInvitation } from '../session/sign-up/invitation-note.tsx';
import { haveAccount, RegisterForm } from '../session/sign-up/register-form.tsx';
import { followInvitation, useInvitation } from '../session/sign-up/use-invitation.ts';
import { useHydrated, useSite, useUser } from '../state/store-provider.tsx';
import { FounderNote } from '../ui/founder-note.tsx';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { Loading } from '../ui/loading/spinner.tsx';
import { texts } from '../ui/texts.ts';
import { WayInLink } from '../ui/way-in-link.tsx';

const InvitationQuery = lazyPart(
  async () => (await import('../session/sign-up/invitation-query.tsx')).InvitationQuery,
  { isQuiet: true },
);

/** The sign-up page: a form, or the reason why there is none. */
export function Register() {
  const isReady = useHydrated();
  const { registration } = useSite();
  const { isLogged } = useUser();
  const { invitation, setAnswer, drop } = useInvitation();
  useRedirect('register');
  const link = invitation?.link;
  useEffect(() => {
    if (isLogged && link) void followInvitation(link);
  }, [isLogged, link]);
  // Only the founder's link opens an account then.
  const isRegistrationClosed = registration === 'closed' && invitation?.from?.name !== null;
  // The server does not know the invitation, which is in the fragment.
  const isUninvited = registration === 'invitation' && isReady && !invitation;
  return (
    <>
      {isReady && link && !isLogged && (
        <InvitationQuery key={link} link={link} onAnswer={setAnswer} />
      )}
      {!isRegistrationClosed && !isUninvited && (
        <RegisterForm invitation={invitation} onDrop={drop} />
      )}
      {isRegistrationClosed && invitation?.isPending && <Loading label={texts.loading} />}
      {isRegistrationClosed && invitation?.isRefused && <RefusedInvitation />}
      {(isUninvited || (isRegistrationClosed && !invitation?.isPending)) && <NoForm />}
      {invitation?.from?.name !== null && <FounderNote />}
    </>
  );
}

/** The reason why no account can be created. */
function NoForm() {
  const { readers, registration } = useSite();
  return (
    <Outcome
      title={pages.register.title}
      detail={
        registration === 'closed'
          ? readers === 'members'
            ? errorTexts.registrationClosed
            : `${errorTexts.registrationClosed} Para leerlo no hace falta ninguna.`
          : invitationNeededText
      }
    >
      <WayInLink href={pageRoutes.login}>{haveAccount}</WayInLink>
    </Outcome>
  );
}
