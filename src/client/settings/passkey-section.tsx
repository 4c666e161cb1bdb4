import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PasskeyInfo, PasskeyList } from '../../shared/account-settings.ts';
import { failureText } from '../account/account-call.ts';
import { offersPasskeys } from '../account/passkeys.ts';
import type { Result } from '../api/api.ts';
import buttons from '../components/button.module.css';
import { focusElement } from '../components/focus-element.ts';
import { LoadFailure } from '../components/notice.tsx';
import { TimeAgo } from '../components/time-ago.tsx';
import { showStatus } from '../shell/status-bar.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import { recoveryTexts } from './recovery-texts.ts';
import styles from './settings.module.css';
import { settingsApi } from './settings-api.ts';
import { SettingsSection } from './settings-section.tsx';

const headingId = 'claves';

interface PasskeySectionProps {
  /** Null where the address of the page has none. */
  initial: Result<PasskeyList> | null;
  /** What this browser is called, for the name of a new one. */
  browser: string;
}

/** Passkeys of the account. Nothing where the site takes none. */
export function PasskeySection({ initial, browser }: PasskeySectionProps) {
  const [passkeys, setPasskeys] = useState(initial);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!passkeys) return null;
  if (!passkeys.ok && passkeys.problem?.code === 'passkeys_unavailable') return null;

  const load = async () => setPasskeys(await settingsApi.listPasskeys());
  const close = () => {
    flushSync(() => setOpen(false));
    opener.current?.focus();
  };
  const onAdded = async ({ name }: PasskeyInfo) => {
    await load();
    close();
    showStatus({ text: recoveryTexts.passkeyAdded(name) });
  };
  const remove = async ({ id, name }: PasskeyInfo) => {
    const result = await settingsApi.deletePasskey(id);
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
  };

  return (
    <SettingsSection
      id={headingId}
      title={recoveryTexts.passkeys}
      intro={recoveryTexts.passkeysIntro}
    >
      {!passkeys.ok && <LoadFailure message={recoveryTexts.passkeysFailed} onRetry={load} />}
      {passkeys.ok && passkeys.value.data.length === 0 && <p>{recoveryTexts.noPasskeys}</p>}
      {passkeys.ok && passkeys.value.data.length > 0 && (
        <ul className={styles.list}>
          {passkeys.value.data.map((passkey) => (
            <Passkey key={passkey.id} {...passkey} onRemove={() => remove(passkey)} />
          ))}
        </ul>
      )}
      {!offersPasskeys() && <p className={styles.note}>{recoveryTexts.passkeysNotHere}</p>}
      {offersPasskeys() && !isOpen && (
        <button ref={opener} type="button" className={buttons.quiet} onClick={() => setOpen(true)}>
          {recoveryTexts.addPasskey}
        </button>
      )}
      {isOpen && <PasskeyForm browser={browser} onAdded={onAdded} onCancel={close} />}
    </SettingsSection>
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
          {recoveryTexts.passkeyCreated}
          <TimeAgo iso={createdAt} />
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
