import { useState } from 'react';
import type { RecoveryCodesLeft } from '../../../shared/account-settings.ts';
import { accountTexts } from '../../account-texts.ts';
import { type Failure, failureText } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { useAnchors } from '../../components/anchors.tsx';
import buttons from '../../components/button.module.css';
import { Alert, LoadFailure } from '../../components/notice.tsx';
import { SubmitButton } from '../../components/submit-button.tsx';
import { fieldText, useSubmit } from '../../components/use-submit.ts';
import { shortDate } from '../../time/short-date.ts';
import { CurrentPasswordField, passwordError } from '../current-password-field.tsx';
import { PasswordOwner } from '../password-owner.tsx';
import styles from '../settings.module.css';
import { SettingsSection } from '../settings-section.tsx';
import { useOpener } from '../use-opener.ts';
import { CodeList } from './code-list.tsx';
import { countRecoveryCodes, createRecoveryCodes } from './recovery-calls.ts';
import { recoveryTexts } from './recovery-texts.ts';

export const recoveryHeadingId = 'recuperacion';

/** The section of recovery codes. */
export function RecoverySection() {
  const { data: left, refetch } = useUserQuery(countRecoveryCodes);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isOpen, setOpen] = useState(false);
  const opener = useOpener(isOpen);
  const anchors = useAnchors();

  const close = () => setOpen(false);
  const show = (created: string[]) => {
    setOpen(false);
    setCodes(created);
    refetch();
  };
  const hide = () => {
    setCodes(null);
    // The button that had the focus is removed.
    anchors.focus(recoveryHeadingId);
  };
  const hasCodes = left !== undefined && left.left > 0;

  return (
    <SettingsSection
      id={recoveryHeadingId}
      title={recoveryTexts.codes}
      intro={recoveryTexts.codesIntro}
    >
      {!left && <LoadFailure message={recoveryTexts.codesFailed} onRetry={() => refetch()} />}
      {left && <p>{leftText(left)}</p>}
      {codes && <CodeList codes={codes} onSaved={hide} />}
      {!codes && !isOpen && (
        <button ref={opener} type="button" className={buttons.quiet} onClick={() => setOpen(true)}>
          {hasCodes ? recoveryTexts.replaceCodes : recoveryTexts.createCodes}
        </button>
      )}
      {isOpen && <CreateForm hasCodes={hasCodes} onCreated={show} onCancel={close} />}
    </SettingsSection>
  );
}

function leftText({ left, createdAt }: RecoveryCodesLeft): string {
  return createdAt ? recoveryTexts.codesLeft(left, shortDate(createdAt)) : recoveryTexts.noCodes;
}

interface CreateFormProps {
  hasCodes: boolean;
  onCreated: (codes: string[]) => void;
  onCancel: () => void;
}

function CreateForm({ hasCodes, onCreated, onCancel }: CreateFormProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const result = await request(createRecoveryCodes, {
      currentPassword: fieldText(form, 'currentPassword'),
    });
    if (!isShown()) return;
    if (result.ok) onCreated(result.value.codes);
    else setFailure(result);
  });
  const message = failure && failureText(failure);

  return (
    <form className={styles.form} method="post" onSubmit={onSubmit}>
      <PasswordOwner />
      {hasCodes && <p>{recoveryTexts.replaceHint}</p>}
      <CurrentPasswordField failure={failure} autoFocus />
      {message && !passwordError(failure) && <Alert>{message}</Alert>}
      <p className="buttons">
        <SubmitButton label={recoveryTexts.createCodes} isBusy={isBusy} />
        <button type="button" className={buttons.quiet} onClick={onCancel}>
          {accountTexts.cancel}
        </button>
      </p>
    </form>
  );
}
