import { useState } from 'react';
import { pages } from '../../shared/pages.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import styles from '../components/form-page.module.css';
import { Alert } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useFragment } from '../router/navigation.tsx';
import { leaveForLogin } from '../session/session-end.ts';
import { useIsReady, useStore } from '../state/store-provider.tsx';
import { setPassword } from './account-calls.ts';
import { AccountForm } from './account-form.tsx';
import { NewPasswordField, usePasswordWarning } from './new-password-field.tsx';

/** The page of a link, issued by the site's operator, that sets a new password. Its token is in the hash. */
export function NewPassword() {
  const { dispatch } = useStore();
  const isReady = useIsReady();
  const token = useFragment();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isDifferent, setIsDifferent] = useState(false);
  const { warning, mustWarn } = usePasswordWarning();

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const password = fieldText(form, 'password');
    const differs = fieldText(form, 'repeated') !== password;
    setIsDifferent(differs);
    if (differs || (await mustWarn(password))) return;
    const result = await request(setPassword, { token, password });
    if (!isShown()) return;
    // A new password ends every session of the account, this tab's too.
    if (result.ok) leaveForLogin(dispatch, 'password-saved');
    else setFailure(result);
  });

  if (isReady && !token) {
    return (
      <div className={`${styles.page} ${styles.narrow}`}>
        <PageTitle>{pages.password.title}</PageTitle>
        <Alert>{accountTexts.passwordLinkInvalid}</Alert>
      </div>
    );
  }

  return (
    <AccountForm
      title={pages.password.title}
      submitLabel={accountTexts.savePassword}
      isBusy={isBusy}
      onSubmit={onSubmit}
      failure={failure}
    >
      <NewPasswordField
        hint={accountTexts.passwordEndsSessions}
        error={warning ?? fieldError(failure, 'password')}
      />
      <NewPasswordField
        label={accountTexts.repeatPassword}
        name="repeated"
        error={isDifferent ? accountTexts.passwordsDiffer : undefined}
      />
    </AccountForm>
  );
}
