import { useState } from 'react';
import buttons from '../ui/styles/button.module.css';
import styles from '../ui/styles/settings.module.css';
import { PasskeyList, usePasskeys } from './passkeys/passkey-list.tsx';
import { recoveryHeadingId } from './recovery/recovery-section.tsx';

const headingId = 'llaves-activas';

/** Shown after a new password: a link to create recovery codes, and the passkeys that still open the account. */
export function OtherWaysIn() {
  const passkeys = usePasskeys();
  // Stays true when the last passkey is removed here, because the heading then gets the focus.
  const [hasPasskeys] = useState(
    passkeys.data ? passkeys.data.data.length > 0 : passkeys.hasPasskeys,
  );
  return (
    <div className={`stack ${styles.line}`}>
      <p>
        <a className={buttons.quiet} href={`#${recoveryHeadingId}`}>
          Crear códigos nuevos
        </a>
      </p>
      {hasPasskeys && (
        <>
          <h3 id={headingId} tabIndex={-1}>
            Tus llaves de acceso siguen activas
          </h3>
          <p className="note">
            Permiten entrar en tu cuenta sin contraseña. Quita las que no reconozcas.
          </p>
          <PasskeyList headingId={headingId} />
        </>
      )}
    </div>
  );
}
