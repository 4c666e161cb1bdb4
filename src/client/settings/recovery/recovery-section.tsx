import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RecoveryCodesLeft } from '../../../shared/account-settings.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { serverNow } from '../../api/call.ts';
import { request } from '../../api/request.ts';
import { callKey, useUserQuery } from '../../api/user-query.ts';
import { focusElement } from '../../dom/focus-element.ts';
import { countRecoveryCodes, createRecoveryCodes } from '../../session/recovery/recovery-calls.ts';
import { useUser } from '../../state/store-provider.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import buttons from '../../ui/styles/button.module.css';
import { shortDate } from '../../ui/time/short-date.ts';
import { PasswordForm } from '../password-form.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { CodeList } from './code-list.tsx';

const createCodes = 'Crear códigos';

export const recoveryHeadingId = 'recuperacion';

export function RecoverySection() {
  const left = useUserQuery(countRecoveryCodes);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const { id } = useUser();

  const close = () => setOpen(false);
  const create = async (text: (name: string) => string, form: HTMLFormElement) => {
    const created = await request(createRecoveryCodes, {
      currentPassword: text('currentPassword'),
    });
    const counted = {
      left: created.codes.length,
      createdAt: new Date(serverNow() ?? Date.now()).toISOString(),
    };
    queryClient.setQueryData(callKey(id, countRecoveryCodes), counted);
    if (!form.isConnected) {
      const href = `${pageRoutes.settings}#${recoveryHeadingId}`;
      showStatus({
        text: 'Tus códigos de recuperación han cambiado y no llegaste a ver los nuevos. Crea otros para tener unos que sirvan.',
        links: [{ href, label: 'Crear códigos nuevos' }],
      });
    }
    close();
    setCodes(created.codes);
  };
  const hide = () => {
    setCodes(null);
    // The button that had the focus is removed.
    focusElement(recoveryHeadingId);
  };
  const hasCodes = left.data !== undefined && left.data.left > 0;
  // Codes are hidden once a new password has ended them.
  const areCodesShown = codes !== null && hasCodes;

  return (
    <SettingsSection
      id={recoveryHeadingId}
      title="Códigos de recuperación"
      intro="Si olvidas la contraseña, con uno de estos códigos puedes poner otra sin depender de nadie. Cada vez que cambias la contraseña, dejan de servir todos. Imprímelos y guárdalos donde solo los veas tú."
    >
      <Loaded query={left}>{(shown) => <p>{leftText(shown)}</p>}</Loaded>
      {areCodesShown && <CodeList codes={codes} onSaved={hide} />}
      {!areCodesShown && !isOpen && (
        <button type="button" className={buttons.quiet} onClick={() => setOpen(true)}>
          {hasCodes ? 'Crear códigos nuevos' : createCodes}
        </button>
      )}
      {isOpen && (
        <PasswordForm title={createCodes} submitLabel={createCodes} send={create} onCancel={close}>
          {() => hasCodes && <p>Los que tienes ahora dejarán de servir.</p>}
        </PasswordForm>
      )}
    </SettingsSection>
  );
}

function leftText({ left, createdAt }: RecoveryCodesLeft): string {
  return createdAt ? codesLeft(left, shortDate(createdAt)) : 'Todavía no tienes códigos.';
}

function codesLeft(left: number, date: string): string {
  return left === 1
    ? `Te queda 1 código, creado el ${date}.`
    : `Te quedan ${left} códigos, creados el ${date}.`;
}
