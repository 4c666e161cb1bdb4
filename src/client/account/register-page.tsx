import { useState } from 'react';
import { pages } from '../../shared/pages.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import type { Failure } from '../api/api.ts';
import { TextField } from '../components/field.tsx';
import styles from '../components/form-page.module.css';
import { PageTitle } from '../components/page-title.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { go, Link } from '../router/navigation.tsx';
import { useAppState, useStore } from '../state/store-provider.tsx';
import { accountApi, fieldError } from './account-api.ts';
import { failureText } from './account-call.ts';
import { accountTexts } from './account-texts.ts';
import { ErrorModal } from './error-modal.tsx';
import { FormFailure } from './form-failure.tsx';
import { NeedsScript } from './needs-script.tsx';
import { useRedirectHome } from './use-session.ts';

export function Register() {
  const { dispatch } = useStore();
  const hasError = useAppState((state) => state.error);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isTaken = failure?.problem?.code === 'email_taken';
  useRedirectHome('register');

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const result = await accountApi.signUp({
      name: fieldText(form, 'name'),
      email: fieldText(form, 'email'),
      password: fieldText(form, 'password'),
      img: assetRoutes.defaultAvatar,
    });
    if (!isShown()) return;
    if (!result.ok) {
      setFailure(result);
      return dispatch({ type: 'SET_ERROR' });
    }
    dispatch({ type: 'REGISTER_REQUEST', user: result.value });
    go(pageRoutes.login);
  });

  return (
    <div className={`${styles.page} ${styles.narrow}`} data-for="guest">
      <PageTitle>{pages.register.title}</PageTitle>
      <NeedsScript />
      <form className={styles.form} method="post" onSubmit={onSubmit}>
        <TextField
          label={accountTexts.name}
          name="name"
          autoComplete="name"
          required
          error={fieldError(failure, 'name')}
        />
        <TextField
          label={accountTexts.email}
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          error={isTaken ? failureText(failure) : fieldError(failure, 'email')}
        />
        <TextField
          label={accountTexts.password}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          error={fieldError(failure, 'password')}
        />
        {!isTaken && <FormFailure failure={failure} />}
        <SubmitButton className={styles.submit} label={accountTexts.signUp} isBusy={isBusy} />
      </form>
      <p className={styles.aside}>
        <Link href={pageRoutes.login}>{accountTexts.haveAccount}</Link>
      </p>
      <ErrorModal
        isOpen={hasError && failure !== null}
        onClose={() => dispatch({ type: 'DELETE_ERROR' })}
      />
    </div>
  );
}
