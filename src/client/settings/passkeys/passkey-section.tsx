import { useState } from 'react';
import type { PasskeyInfo } from '../../../shared/account-settings.ts';
import { offersPasskeys } from '../../session/passkeys.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import { SettingsSection } from '../settings-section.tsx';
import { addPasskeyText, PasskeyForm } from './passkey-form.tsx';
import { PasskeyList, usePasskeys } from './passkey-list.tsx';

const headingId = 'llaves';

interface PasskeySectionProps {
  /** Name of this browser, the default name of a new passkey. */
  browser: string;
}

/** The section for passkeys. Renders nothing where the site does not support them. */
export function PasskeySection({ browser }: PasskeySectionProps) {
  const { hasPasskeys, refetch } = usePasskeys();
  const [isOpen, setOpen] = useState(false);
  if (!hasPasskeys) return null;

  const close = () => setOpen(false);
  const onAdded = async ({ name }: PasskeyInfo) => {
    await refetch();
    close();
    showStatus({ text: `Llave de acceso añadida: ${name}` });
  };

  return (
    <SettingsSection
      id={headingId}
      title="Llaves de acceso"
      intro="Inicia sesión sin contraseña, con la huella, la cara o el PIN de tu dispositivo. También puedes seguir usando la contraseña."
    >
      <PasskeyList headingId={headingId} />
      {!offersPasskeys() && (
        <p className="note">Este navegador no puede crear llaves de acceso. Prueba con otro.</p>
      )}
      {offersPasskeys() && !isOpen && (
        <button type="button" className={buttons.quiet} onClick={() => setOpen(true)}>
          {addPasskeyText}
        </button>
      )}
      {isOpen && <PasskeyForm browser={browser} onAdded={onAdded} onCancel={close} />}
    </SettingsSection>
  );
}
