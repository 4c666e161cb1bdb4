import { useState } from 'react';
import type { PasskeyInfo } from '../../../shared/account-settings.ts';
import { request } from '../../api/request.ts';
import { askToCreatePasskey, brokenPasskey } from '../../session/passkeys.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { PasswordForm } from '../password-form.tsx';
import { addPasskey, startPasskey } from '../settings-calls.ts';

export const addPasskeyText = 'Añadir una llave de acceso';

interface PasskeyFormProps {
  browser: string;
  onAdded: (passkey: PasskeyInfo) => Promise<void>;
  onCancel: () => void;
}

/** Asks for a name and the password, then has the browser create a passkey. */
export function PasskeyForm({ browser, onAdded, onCancel }: PasskeyFormProps) {
  /** Why no passkey was created although nothing failed. */
  const [note, setNote] = useState('');

  const send = async (text: (name: string) => string, form: HTMLFormElement) => {
    setNote('');
    const options = await request(startPasskey, { currentPassword: text('currentPassword') });
    if (!form.isConnected) return;
    const asked = await askToCreatePasskey(options);
    if (asked === 'failed') throw brokenPasskey();
    if (typeof asked === 'string') {
      return setNote(
        asked === 'exists'
          ? 'Este dispositivo ya tiene una llave de acceso de tu cuenta.'
          : 'No se ha añadido ninguna llave. Puedes volver a intentarlo.',
      );
    }
    const { credential } = asked;
    await onAdded(await request(addPasskey, { name: text('name'), credential }));
  };

  return (
    <>
      <PasswordForm
        title={addPasskeyText}
        submitLabel={addPasskeyText}
        field="name"
        send={send}
        onCancel={onCancel}
      >
        {(form) => (
          <TextField
            {...form.field('name')}
            label="Nombre de la llave"
            hint="Para reconocerla: por ejemplo, el dispositivo o el gestor de contraseñas donde la guardas."
            autoComplete="off"
            defaultValue={browser}
            dir="auto"
            required
          />
        )}
      </PasswordForm>
      <p role="status">{note}</p>
    </>
  );
}
