import { ShowablePasswordField } from '../account/new-password-field.tsx';
import { type Failure, failureText, fieldError } from '../api/failures.ts';
import { settingsTexts } from './settings-texts.ts';

/** Why the current password is not accepted. */
export const passwordError = (failure: Failure | null) =>
  failure?.problem?.code === 'wrong_password'
    ? failureText(failure)
    : fieldError(failure, 'currentPassword');

interface CurrentPasswordFieldProps {
  failure: Failure | null;
  autoFocus?: boolean;
}

/** Asks for the password before a change of the account. */
export function CurrentPasswordField({ failure, autoFocus = false }: CurrentPasswordFieldProps) {
  return (
    <ShowablePasswordField
      label={settingsTexts.currentPassword}
      name="currentPassword"
      autoComplete="current-password"
      autoFocus={autoFocus}
      error={passwordError(failure)}
    />
  );
}
