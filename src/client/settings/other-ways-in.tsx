import { useState } from 'react';
import buttons from '../components/button.module.css';
import { PasskeyList, type PasskeyState } from './passkey-list.tsx';
import { recoveryHeadingId } from './recovery-section.tsx';
import { recoveryTexts } from './recovery-texts.ts';
import styles from './settings.module.css';

const headingId = 'claves-que-valen';

/** After a new password: how to get new recovery codes, and the passkeys that still open the account. */
export function OtherWaysIn(state: PasskeyState) {
  const { passkeys } = state;
  // Stays when the last one is removed here, so that the focus has a place.
  const [hasPasskeys] = useState(
    passkeys?.ok ? passkeys.value.data.length > 0 : isUnknown(passkeys),
  );
  return (
    <div className={styles.after}>
      <p>
        <a className={buttons.quiet} href={`#${recoveryHeadingId}`}>
          {recoveryTexts.replaceCodes}
        </a>
      </p>
      {hasPasskeys && (
        <>
          <h3 id={headingId} tabIndex={-1}>
            {recoveryTexts.passkeysLeft}
          </h3>
          <p className={styles.note}>{recoveryTexts.passkeysLeftHint}</p>
          <PasskeyList {...state} headingId={headingId} />
        </>
      )}
    </div>
  );
}

/** Whether there may be passkeys that could not be loaded. */
function isUnknown(passkeys: PasskeyState['passkeys']): boolean {
  return passkeys?.ok === false && passkeys.problem?.code !== 'passkeys_unavailable';
}
