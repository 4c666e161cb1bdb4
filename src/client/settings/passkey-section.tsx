import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PasskeyInfo } from '../../shared/account-settings.ts';
import { offersPasskeys } from '../account/passkeys.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { showStatus } from '../components/status-bar.tsx';
import { PasskeyForm } from './passkey-form.tsx';
import { PasskeyList, type PasskeyState } from './passkey-list.tsx';
import { recoveryTexts } from './recovery-texts.ts';
import styles from './settings.module.css';
import { listPasskeys } from './settings-calls.ts';
import { SettingsSection } from './settings-section.tsx';

const headingId = 'claves';

interface PasskeySectionProps extends PasskeyState {
  /** What this browser is called, for the name of a new one. */
  browser: string;
}

/** Passkeys of the account. Nothing where the site takes none. */
export function PasskeySection({ browser, ...state }: PasskeySectionProps) {
  const { passkeys, setPasskeys } = state;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!passkeys) return null;
  if (!passkeys.ok && passkeys.problem?.code === 'passkeys_unavailable') return null;

  const load = async () => setPasskeys(await request(listPasskeys));
  const close = () => {
    flushSync(() => setOpen(false));
    opener.current?.focus();
  };
  const onAdded = async ({ name }: PasskeyInfo) => {
    await load();
    close();
    showStatus({ text: recoveryTexts.passkeyAdded(name) });
  };

  return (
    <SettingsSection
      id={headingId}
      title={recoveryTexts.passkeys}
      intro={recoveryTexts.passkeysIntro}
    >
      <PasskeyList {...state} headingId={headingId} />
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
