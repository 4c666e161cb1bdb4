import { useState } from 'react';
import { pages } from '../../shared/pages.ts';
import type { Failure } from '../api/api.ts';
import { TextField } from '../components/field.tsx';
import styles from '../components/form-page.module.css';
import { PageTitle } from '../components/page-title.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useStore } from '../state/store-provider.tsx';
import { accountApi, fieldError } from './account-api.ts';
import { accountTexts } from './account-texts.ts';
import { FormFailure } from './form-failure.tsx';
import { NeedsScript } from './needs-script.tsx';
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
    <div className={`${styles.page} ${styles.narrow}`}>
      <PageTitle>{pages.password.title}</PageTitle>
      <NeedsScript />
      <form className={styles.form} method="post" onSubmit={onSubmit}>
        <TextField
          label={accountTexts.password}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={accountTexts.passwordEndsSessions}
          required
          error={fieldError(failure, 'password')}
        />
        <TextField
          label={accountTexts.repeatPassword}
          name="repeated"
          type="password"
          autoComplete="new-password"
          required
          error={isDifferent ? accountTexts.passwordsDiffer : undefined}
        />
        <FormFailure failure={failure} />
        <SubmitButton className={styles.submit} label={accountTexts.savePassword} isBusy={isBusy} />
      </form>
    </div>
  );
}
