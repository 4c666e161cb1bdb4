import { useEffect } from 'react';
import { pages } from '../../shared/pages.ts';
import { useUserQuery } from '../api/user-query.ts';
import { withQueries } from '../api/with-queries.tsx';
import { listOwnReports } from '../moderation/reports/report-calls.ts';
import { listOwnDecisions } from '../own-decisions/own-decision-calls.ts';
import { useEntryState } from '../router/entry-state.ts';
import { showFragment, useFragment } from '../router/navigation.tsx';
import { AccountPage } from '../session/account-page.tsx';
import { countRecoveryCodes } from '../session/recovery/recovery-calls.ts';
import { useProfile } from '../session/use-profile.ts';
import { AccountSection } from '../settings/account-section.tsx';
import { CalendarSection, useCalendar } from '../settings/calendar-section.tsx';
import { ClaimSection, useClaims, useOfferedWords } from '../settings/claim-section.tsx';
import { DecisionSection } from '../settings/decision-section.tsx';
import { FollowSection } from '../settings/follow-section.tsx';
import { InvitationSection, useInvitations } from '../settings/invitation-section.tsx';
import { MailSection, useNotificationSettings } from '../settings/mail/mail-section.tsx';
import { usePasskeys } from '../settings/passkeys/passkey-list.tsx';
import { PasskeySection } from '../settings/passkeys/passkey-section.tsx';
import { DataSection } from '../settings/privacy/data-section.tsx';
import { deletionHeadingId } from '../settings/privacy/deletion-part.tsx';
import { deletionTexts } from '../settings/privacy/deletion-texts.ts';
import { PendingDeletion } from '../settings/privacy/scheduled-deletion.tsx';
import { PushSection } from '../settings/push/push-section.tsx';
import { RecoverySection } from '../settings/recovery/recovery-section.tsx';
import { ReportSection } from '../settings/report-section.tsx';
import { SessionSection } from '../settings/session-section.tsx';
import { listSessions } from '../settings/settings-calls.ts';
import { Trash, useTrash } from '../settings/trash.tsx';
import { useUser } from '../state/store-provider.tsx';
import { Loading } from '../ui/loading/spinner.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import styles from '../ui/styles/settings.module.css';
import { texts } from '../ui/texts.ts';

function SettingsPageContent() {
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

export const SettingsPage = withQueries(SettingsPageContent);

/** All sections, shown together once all their data have arrived, so that none moves. */
function Settings() {
  const profile = useProfile();
  const sessions = useUserQuery(listSessions);
  const decisions = useUserQuery(listOwnDecisions);
  const codes = useUserQuery(countRecoveryCodes);
  const queries = [
    ...[profile, sessions, decisions, codes],
    ...[useNotificationSettings(), usePasskeys(), useTrash(), useInvitations()],
    ...[useUserQuery(listOwnReports), useCalendar()],
    ...[useClaims(), useOfferedWords()],
  ];

  const isFetched = queries.every((query) => query.isFetched || !query.isEnabled);
  useSectionInAddress(isFetched);
  if (!isFetched) {
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
          <a href={`#${deletionHeadingId}`}>{deletionTexts.showReceipt}</a>
        </PendingDeletion>
      )}
      <DecisionSection />
      {!isSuspended && (
        <>
          <AccountSection />
          <FollowSection />
          <MailSection />
          <PushSection />
          <CalendarSection />
        </>
      )}
      <SessionSection />
      {!isSuspended && (
        <>
          <PasskeySection browser={current?.browser ?? ''} />
          <RecoverySection />
          <InvitationSection />
          <ClaimSection />
          <Trash />
        </>
      )}
      <ReportSection />
      <DataSection />
    </>
  );
}

/** Shows the section that the address names. The browser cannot, because the sections are shown later. */
function useSectionInAddress(isShown: boolean): void {
  const fragment = useFragment();
  const isFragmentPending = useEntryState((state) => state.isFragmentPending);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link to the same section may be followed again
  useEffect(() => {
    const section = isShown && fragment && document.getElementById(fragment);
    if (section) showFragment(section);
  }, [isShown, fragment, isFragmentPending]);
}
