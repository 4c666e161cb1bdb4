import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { DeletionRequested } from '../../shared/account-settings.ts';
import { getProfile } from '../account/account-calls.ts';
import { failureText, type Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { focusElement } from '../components/focus-element.ts';
import { Alert, LoadFailure } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { tellTabs } from '../session/tabs.ts';
import { fullTime } from '../time/time-words.ts';
import { DeletionForm } from './deletion-form.tsx';
import { DeletionReceipt, receiptHeadingId } from './deletion-receipt.tsx';
import { printPart } from './print-part.ts';
import styles from './settings.module.css';
import { restoreAccount } from './settings-calls.ts';
import { settingsTexts } from './settings-texts.ts';

export const deletionHeadingId = 'eliminar-la-cuenta';

type Deletion = Result<DeletionRequested | null>;

export interface DeletionState {
  /** What the account's owner asked for; its value is null when it is not going to be deleted. */
  deletion: Deletion;
  setDeletion: (deletion: Deletion) => void;
}

/** Asks for the deletion of the account; once asked for, its receipt and a button to cancel it. */
export function DeletionPart({ deletion, setDeletion }: DeletionState) {
  const show = (value: DeletionRequested | null, said: string) => {
    flushSync(() => setDeletion({ ok: true, value }));
    // The button that had the focus is removed.
    focusElement(deletionHeadingId);
    document.getElementById(deletionHeadingId)?.scrollIntoView({ block: 'nearest' });
    showStatus({ text: said });
    tellTabs();
  };
  const load = async () => {
    const profile = await request(getProfile);
    setDeletion(profile.ok ? { ok: true, value: profile.value.deletion } : profile);
  };
  return (
    <>
      <div className={styles.what}>
        <h3 id={deletionHeadingId} tabIndex={-1}>
          {settingsTexts.delete}
        </h3>
        {deletion.ok && !deletion.value && (
          <p className={styles.note}>{settingsTexts.deleteIntro}</p>
        )}
      </div>
      {!deletion.ok && <LoadFailure message={settingsTexts.stateFailed} onRetry={load} />}
      {deletion.ok && !deletion.value && (
        <DeletionForm onRequested={(value) => show(value, settingsTexts.deletionRequested)} />
      )}
      {deletion.ok && deletion.value && (
        <Requested
          {...deletion.value}
          onCanceled={() => show(null, settingsTexts.deletionCanceled)}
        />
      )}
    </>
  );
}

function Requested({ onCanceled, ...requested }: DeletionRequested & { onCanceled: () => void }) {
  const [failure, setFailure] = useState('');
  const cancel = async () => {
    setFailure('');
    const result = await request(restoreAccount);
    if (result.ok) onCanceled();
    else setFailure(`${settingsTexts.notCanceled} ${failureText(result)}`);
  };
  return (
    <>
      <p className={styles.line}>{settingsTexts.pending(fullTime(requested.endsAt))}</p>
      {failure && <Alert>{failure}</Alert>}
      <p className={styles.buttons}>
        <button type="button" className={buttons.primary} onClick={cancel}>
          {settingsTexts.cancelDeletion}
        </button>
        <button type="button" className={buttons.quiet} onClick={() => printPart(receiptHeadingId)}>
          {settingsTexts.print}
        </button>
      </p>
      <DeletionReceipt {...requested} />
    </>
  );
}
