import { useState } from 'react';
import { pages } from '../../shared/pages.ts';
import type { Failure } from '../api/api.ts';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useStore } from '../state/store-provider.tsx';
import { accountApi, fieldError } from './account-api.ts';
import { AccountForm, PasswordField } from './account-form.tsx';
import { accountTexts } from './account-texts.ts';
import { loseSession } from './use-session.ts';

/** The page of a link, issued by the site's operator, that sets a new password. Its token is in the hash. */
export function NewPassword() {
  const { dispatch } = useStore();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isDifferent, setIsDifferent] = useState(false);

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const password = fieldText(form, 'password');
    const differs = fieldText(form, 'repeated') !== password;
    setIsDifferent(differs);
    if (differs) return;
    const result = await accountApi.setPassword({ token: location.hash.slice(1), password });
    if (!isShown()) return;
    // A new password ends every session of the account, this tab's too.
    if (result.ok) loseSession(dispatch, { isExpected: true });
    else setFailure(result);
  });

  return (
    <AccountForm
      title={pages.password.title}
      submitLabel={accountTexts.savePassword}
      isBusy={isBusy}
      onSubmit={onSubmit}
      failure={failure}
    >
      <PasswordField
        hint={accountTexts.passwordEndsSessions}
        error={fieldError(failure, 'password')}
      />
      <PasswordField
        label={accountTexts.repeatPassword}
        name="repeated"
        error={isDifferent ? accountTexts.passwordsDiffer : undefined}
      />
    </AccountForm>
  );
}
