import { useState } from 'react';
import type { PasskeyInfo } from '../../shared/account-settings.ts';
import { askToCreatePasskey, brokenPasskey } from '../account/passkeys.ts';
import { request } from '../api/request.ts';
import { TextField } from '../components/field.tsx';
import { fieldText } from '../components/use-submit.ts';
import { PasswordForm } from './password-form.tsx';
import { recoveryTexts } from './recovery/recovery-texts.ts';
import { addPasskey, startPasskey } from './settings-calls.ts';

interface PasskeyFormProps {
  browser: string;
  onAdded: (passkey: PasskeyInfo) => void;
  onCancel: () => void;
}

/** Asks for a name and the password, and then lets the browser make a passkey. */
export function PasskeyForm({ browser, onAdded, onCancel }: PasskeyFormProps) {
  /** Why no passkey was made although nothing failed. */
  const [note, setNote] = useState('');

  const send = async (currentPassword: string, form: HTMLFormElement, isShown: () => boolean) => {
    setNote('');
    const options = await request(startPasskey, { currentPassword });
    if (!options.ok) return options;
    if (!isShown()) return null;
    const asked = await askToCreatePasskey(options.value);
    if (asked === 'failed') return brokenPasskey;
    if (typeof asked !== 'string') {
      const name = fieldText(form, 'name');
      return request(addPasskey, { name, credential: asked.credential });
    }
    setNote(asked === 'exists' ? recoveryTexts.passkeyExists : recoveryTexts.passkeyCanceled);
    return null;
  };

  return (
    <>
      <PasswordForm
        title={recoveryTexts.addPasskey}
        submitLabel={recoveryTexts.addPasskey}
        field="name"
        send={send}
        onSent={onAdded}
        onCancel={onCancel}
      >
        {(field) => (
          <TextField
            label={recoveryTexts.passkeyName}
            hint={recoveryTexts.passkeyNameHint}
            name="name"
            autoComplete="off"
            defaultValue={browser}
            dir="auto"
            required
            {...field}
          />
        )}
      </PasswordForm>
      <p role="status">{note}</p>
    </>
  );
}
