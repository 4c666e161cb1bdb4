import { pages } from '../../shared/pages.ts';
import { useProfile } from '../account/use-profile.ts';
import { useUserQuery } from '../api/user-query.ts';
import { PageTitle } from '../components/page-title.tsx';
import { Loading } from '../components/spinner.tsx';
import { listOwnDecisions, listOwnReports } from '../moderation/calls.ts';
import { AccountPage } from '../session/account-page.tsx';
import { useUser } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { AccountSection } from './account-section.tsx';
import { Bin, useBin } from './bin.tsx';
import { DataSection } from './data-section.tsx';
import { DecisionSection } from './decision-section.tsx';
import { deletionHeadingId } from './deletion-part.tsx';
import { InvitationSection, useInvitations } from './invitation-section.tsx';
import { MailSection, useNotifications } from './mail/mail-section.tsx';
import { usePasskeys } from './passkey-list.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PendingDeletion } from './pending-deletion.tsx';
import { countRecoveryCodes } from './recovery/recovery-calls.ts';
import { RecoverySection } from './recovery/recovery-section.tsx';
import { ReportSection } from './report-section.tsx';
import { SessionSection } from './session-section.tsx';
import styles from './settings.module.css';
import { listSessions } from './settings-calls.ts';

/** The page of settings: decisions of moderators, name, e-mail address, password, news by e-mail, sessions, passkeys, codes, invitations, bin, own reports, export and deletion. */
export function SettingsPage() {
  const { id, isLogged } = useUser();
  return (
    <AccountPage name="settings" isPrepared>
      <div className={`page ${styles.page}`}>
        <PageTitle>{pages.settings.title}</PageTitle>
        {isLogged && <Settings key={id} />}
      </div>
    </AccountPage>
  );
}

/** All sections, shown when each has its data, so that none moves when another's data arrives. */
function Settings() {
  const profile = useProfile();
  const sessions = useUserQuery(listSessions);
  const decisions = useUserQuery(listOwnDecisions);
  const codes = useUserQuery(countRecoveryCodes);
  const queries = [
    ...[profile, sessions, decisions, codes],
    ...[useNotifications(), usePasskeys(), useBin(), useInvitations()],
    useUserQuery(listOwnReports),
  ];

  if (!queries.every(({ isFetched, isEnabled }) => isFetched || !isEnabled)) {
    return <Loading label={texts.loading} />;
  }
  const deletion = profile.data?.deletion;
  const isSuspended = decisions.data?.data.some(
    ({ action, isInForce }) => action === 'suspend' && isInForce,
  );
  const current = sessions.data?.data.find(({ isCurrent }) => isCurrent);
  return (
    <>
      {deletion && (
        <PendingDeletion deletion={deletion}>
          <a href={`#${deletionHeadingId}`}>Ver el justificante o cancelar</a>
        </PendingDeletion>
      )}
      <DecisionSection />
      {!isSuspended && (
        <>
          <AccountSection />
          <MailSection />
        </>
      )}
      <SessionSection />
      {!isSuspended && (
        <>
          <PasskeySection browser={current?.browser ?? ''} />
          <RecoverySection />
          <InvitationSection />
          <Bin />
        </>
      )}
      <ReportSection />
      <DataSection />
    </>
  );
}
