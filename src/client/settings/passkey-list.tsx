import type { Dispatch, SetStateAction } from 'react';
import type { PasskeyInfo, PasskeyList as Passkeys } from '../../shared/account-settings.ts';
import { failureText, type Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { focusElement } from '../components/focus-element.ts';
import { LoadFailure } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { shortDate } from '../time/short-date.ts';
import { TimeAgo } from '../time/time-ago.tsx';
import { recoveryTexts } from './recovery-texts.ts';
import styles from './settings.module.css';
import { deletePasskey, listPasskeys } from './settings-calls.ts';

export interface PasskeyState {
  /** Null where the address of the page has none. */
  passkeys: Result<Passkeys> | null;
  setPasskeys: Dispatch<SetStateAction<Result<Passkeys> | null>>;
  /** After one was removed, which ends the other sessions. */
  onRemoved: () => void;
}

/**
 * The passkeys of the account, each with a button to remove it.
 * @param props.headingId gets the focus when a passkey is removed
 */
export function PasskeyList({
  passkeys,
  setPasskeys,
  onRemoved,
  headingId,
}: PasskeyState & { headingId: string }) {
  if (!passkeys) return null;
  const load = async () => setPasskeys(await request(listPasskeys));
  if (!passkeys.ok) return <LoadFailure message={recoveryTexts.passkeysFailed} onRetry={load} />;
  const { data } = passkeys.value;

  const remove = async ({ id, name }: PasskeyInfo) => {
    const result = await request(deletePasskey, id);
    // It may have been removed meanwhile.
    if (!result.ok && result.problem?.status !== 404) {
      return showStatus({ text: `${recoveryTexts.passkeyNotRemoved} ${failureText(result)}` });
    }
    setPasskeys((shown) =>
      shown?.ok
        ? { ok: true, value: { data: shown.value.data.filter((one) => one.id !== id) } }
        : shown,
    );
    // The button that had the focus is removed.
    focusElement(headingId);
    showStatus({ text: recoveryTexts.passkeyRemoved(name) });
    onRemoved();
  };

  if (data.length === 0) return <p>{recoveryTexts.noPasskeys}</p>;
  return (
    <ul className={styles.list}>
      {data.map((passkey) => (
        <Passkey key={passkey.id} {...passkey} onRemove={() => remove(passkey)} />
      ))}
    </ul>
  );
}

function Passkey({
  name,
  createdAt,
  lastUsedAt,
  onRemove,
}: PasskeyInfo & { onRemove: () => void }) {
  return (
    <li className={styles.item}>
      <div className={styles.what}>
        <p>
          <bdi className={`${styles.label} ${styles.value}`}>{name}</bdi>
        </p>
        <p className={styles.note}>
          {lastUsedAt ? recoveryTexts.passkeyUsed : recoveryTexts.passkeyUnused}
          {lastUsedAt && <TimeAgo iso={lastUsedAt} />}
          <br />
          {recoveryTexts.passkeyAddedOn}
          <time dateTime={createdAt}>{shortDate(createdAt)}</time>
        </p>
      </div>
      <button
        type="button"
        className={buttons.quiet}
        aria-label={recoveryTexts.removePasskeyOf(name)}
        onClick={onRemove}
      >
        {recoveryTexts.removePasskey}
      </button>
    </li>
  );
}
