import { useState } from 'react';
import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import type { Failure } from '../api/api.ts';
import buttons from '../components/button.module.css';
import { TextField } from '../components/field.tsx';
import styles from '../components/form-page.module.css';
import { Alert } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { Link } from '../router/navigation.tsx';
import { useAppState, useIsReady, useStore, useUser } from '../state/store-provider.tsx';
import { accountApi } from './account-api.ts';
import { accountTexts } from './account-texts.ts';
import { ErrorModal } from './error-modal.tsx';
import { FormFailure } from './form-failure.tsx';
import { NeedsScript } from './needs-script.tsx';
import { beginSession, isSessionLost, useRedirectHome } from './use-session.ts';

export function Login() {
  const { dispatch } = useStore();
  const isReady = useIsReady();
  const { email } = useUser();
  const hasError = useAppState((state) => state.error);
  const [failure, setFailure] = useState<Failure | null>(null);
  useRedirectHome('login');

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const result = await accountApi.signIn(fieldText(form, 'email'), fieldText(form, 'password'));
    if (!isShown()) return;
    if (result.ok) return beginSession(result.value, dispatch);
    setFailure(result);
    dispatch({ type: 'SET_ERROR' });
  });

  return (
    <div className={`${styles.page} ${styles.narrow}`} data-for="guest">
      <PageTitle>{pages.login.title}</PageTitle>
      <NeedsScript />
      {isReady && !failure && isSessionLost() && <Alert>{accountTexts.sessionLost}</Alert>}
      <form className={styles.form} method="post" onSubmit={onSubmit}>
        <TextField
          label={accountTexts.email}
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          // Set after registering.
          defaultValue={email}
        />
        <TextField
          label={accountTexts.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <FormFailure failure={failure} />
        <SubmitButton className={styles.submit} label={accountTexts.signIn} isBusy={isBusy} />
      </form>
      <div className={styles.aside}>
        <p>{accountTexts.forgotPassword}</p>
        <p>{accountTexts.noAccountYet}</p>
        <Link className={buttons.quiet} href={pageRoutes.register}>
          {accountTexts.signUpLink}
        </Link>
      </div>
      <ErrorModal
        isOpen={hasError && failure !== null}
        onClose={() => dispatch({ type: 'DELETE_ERROR' })}
      />
    </div>
  );
}
