import { useState } from 'react';
import type { PasskeyInfo } from '../../shared/account-settings.ts';
import { askToCreatePasskey, brokenPasskey } from '../account/passkeys.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { TextField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { CurrentPasswordField, passwordError } from './current-password-field.tsx';
import { PasswordOwner } from './password-owner.tsx';
import { recoveryTexts } from './recovery/recovery-texts.ts';
import styles from './settings.module.css';
import { addPasskey, startPasskey } from './settings-calls.ts';

interface PasskeyFormProps {
  browser: string;
  onAdded: (passkey: PasskeyInfo) => void;
  onCancel: () => void;
}

/** Asks for a name and the password, and then lets the browser make a passkey. */
export function PasskeyForm({ browser, onAdded, onCancel }: PasskeyFormProps) {
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Why no passkey was made although nothing failed. */
  const [note, setNote] = useState('');

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    setNote('');
    const options = await request(startPasskey, {
      currentPassword: fieldText(form, 'currentPassword'),
    });
    if (!options.ok) return setFailure(options);
    if (!isShown()) return;
    const asked = await askToCreatePasskey(options.value);
    if (asked === 'canceled') return setNote(recoveryTexts.passkeyCanceled);
    if (asked === 'exists') return setNote(recoveryTexts.passkeyExists);
    if (asked === 'failed') return setFailure(brokenPasskey);
    const name = fieldText(form, 'name');
    const result = await request(addPasskey, { name, credential: asked.credential });
    if (!isShown()) return;
    if (result.ok) onAdded(result.value);
    else setFailure(result);
  });
  const message = failure && failureText(failure);
  const nameError = fieldError(failure, 'name');

  return (
    <form className={styles.form} method="post" onSubmit={onSubmit}>
      <PasswordOwner />
      <TextField
        label={recoveryTexts.passkeyName}
        hint={recoveryTexts.passkeyNameHint}
        name="name"
        autoComplete="off"
        defaultValue={browser}
        dir="auto"
        autoFocus
        required
        error={nameError}
      />
      <CurrentPasswordField failure={failure} />
      {message && !passwordError(failure) && !nameError && <Alert>{message}</Alert>}
      <p role="status">{note}</p>
      <p className="buttons">
        <SubmitButton label={recoveryTexts.addPasskey} isBusy={isBusy} />
        <button type="button" className={buttons.quiet} onClick={onCancel}>
          {accountTexts.cancel}
        </button>
      </p>
    </form>
  );
}
