import { useState } from 'react';
import { limits } from '../../shared/limits.ts';
import type { Invitation, MadeInvitation } from '../../shared/site-settings.ts';
import { accountTexts } from '../account-texts.ts';
import { serverNow } from '../api/call.ts';
import { type Failure, failureText, fieldError, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { useUserQuery } from '../api/user-query.ts';
import { useAnchors } from '../components/anchors.tsx';
import buttons from '../components/button.module.css';
import { copyLink } from '../components/copy-link.ts';
import { TextField } from '../components/field.tsx';
import lists from '../components/list.module.css';
import { Alert, LoadFailure } from '../components/notice.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useSite } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { shortDate } from '../time/short-date.ts';
import styles from './settings.module.css';
import { invite, listInvitations, revokeInvitation } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';
import { settingsTexts } from './settings-texts.ts';
import { useOpener } from './use-opener.ts';

const headingId = 'invitaciones';

/** The invitations of the account; none are asked for while registration is closed. */
export function useInvitations() {
  const { registration } = useSite();
  return useUserQuery(listInvitations, undefined, { enabled: registration !== 'closed' });
}

/** The section with which members invite others. Nothing while registration is closed. */
export function InvitationSection() {
  const anchors = useAnchors();
  const { data: invitations, isEnabled, refetch } = useInvitations();
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const { isBusy, onSubmit } = useSubmit(async (form) => {
    setFailure(null);
    const result = await request(invite, { uses: Number(fieldText(form, 'uses')) });
    if (!result.ok) return setFailure(result);
    setMade(result.value);
    await refetch();
  });
  const revoke = async ({ id }: Invitation) => {
    const result = await request(revokeInvitation, id);
    if (!result.ok) {
      return showStatus({ text: `${settingsTexts.notRevoked} ${failureText(result)}` });
    }
    if (made?.id === id) setMade(null);
    await refetch();
    // The button that had the focus is removed.
    anchors.focus(headingId);
    showStatus({ text: settingsTexts.revoked });
  };

  if (!isEnabled) return null;
  const error = fieldError(failure, 'uses');
  return (
    <SettingsSection
      id={headingId}
      title={settingsTexts.invitations}
      intro={settingsTexts.invitationsIntro}
    >
      {!invitations && (
        <LoadFailure message={settingsTexts.invitationsFailed} onRetry={() => refetch()} />
      )}
      <form className={styles.form} method="post" onSubmit={onSubmit}>
        <TextField
          label={settingsTexts.invitees}
          hint={settingsTexts.inviteesHint}
          error={error}
          name="uses"
          type="number"
          min={1}
          max={limits.invitationUses}
          defaultValue={1}
          required
        />
        {failure && !error && <Alert>{refusalText(failure)}</Alert>}
        <p className="buttons">
          <SubmitButton label={settingsTexts.invite} isBusy={isBusy} />
        </p>
      </form>
      {made && <Made key={made.id} {...made} />}
      {invitations && invitations.data.length > 0 && (
        <ul className={lists.list}>
          {invitations.data.map((one) => (
            <Item key={one.id} invitation={one} onRevoke={() => revoke(one)} />
          ))}
        </ul>
      )}
    </SettingsSection>
  );
}

/** A new invitation, whose link the server says only once. */
function Made({ url }: MadeInvitation) {
  return (
    <div className={styles.form}>
      <h3 ref={focus} tabIndex={-1}>
        {settingsTexts.invitationMade}
      </h3>
      <p>{settingsTexts.onlyNow}</p>
      <TextField label={settingsTexts.invitationLink} value={url} dir="ltr" readOnly />
      <p>
        <button type="button" className={buttons.quiet} onClick={() => copyLink(url)}>
          {texts.copyLink}
        </button>
      </p>
      <QrCode text={url} title={settingsTexts.qrCode} />
    </div>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();

function Item({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const { uses, used, endsAt, isRevoked } = invitation;
  const [isAsking, setAsking] = useState(false);
  const opener = useOpener(isAsking);
  const date = shortDate(endsAt);
  const isEnded = Date.parse(endsAt) <= (serverNow() ?? 0);
  return (
    <li className={lists.item}>
      <p className={lists.what}>
        <span className={styles.label}>{settingsTexts.invitationUsed(used, uses)}</span>
        <br />
        <span className="note">
          {isRevoked ? settingsTexts.revokedState : settingsTexts.validUntil(date)}
        </span>
      </p>
      {!isRevoked && !isEnded && used < uses && !isAsking && (
        <button
          ref={opener}
          type="button"
          className={buttons.quiet}
          aria-label={settingsTexts.revokeOf(date)}
          onClick={() => setAsking(true)}
        >
          {settingsTexts.revoke}
        </button>
      )}
      {!isRevoked && isAsking && (
        <div role="alert" className="buttons">
          <p className={styles.line}>{settingsTexts.revokeQuestion}</p>
          <button type="button" className={buttons.quiet} onClick={onRevoke}>
            {settingsTexts.revoke}
          </button>
          <button
            ref={focus}
            type="button"
            className={buttons.quiet}
            onClick={() => setAsking(false)}
          >
            {accountTexts.cancel}
          </button>
        </div>
      )}
    </li>
  );
}
