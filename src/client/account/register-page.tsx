import { pages } from '../../shared/pages.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { failureText, fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import { TextField } from '../components/field.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { fieldText } from '../components/use-submit.ts';
import { Link } from '../router/navigation.tsx';
import { goToLogin, useRedirectHome } from '../session/session-end.ts';
import { useStore } from '../state/store-provider.tsx';
import { signUp } from './account-calls.ts';
import { AccountForm, EmailField, useGuestForm } from './account-form.tsx';
import { ErrorModal } from './error-modal.tsx';
import { NewPasswordField, usePasswordWarning } from './new-password-field.tsx';

export function Register() {
  const { dispatch } = useStore();
  useRedirectHome('register');
  const { warning, mustWarn } = usePasswordWarning();

  const { failure, isBusy, onSubmit } = useGuestForm(async (form, isShown) => {
    const name = fieldText(form, 'name');
    const email = fieldText(form, 'email');
    const password = fieldText(form, 'password');
    if (await mustWarn(password, [name, email])) return null;
    const body = { name, email, password, img: assetRoutes.defaultAvatar };
    const result = await request(signUp, body);
    if (result.ok && isShown()) {
      dispatch({ type: 'REGISTER_REQUEST', user: result.value });
      goToLogin('account-created');
      showStatus({ text: accountTexts.accountCreated });
    }
    return result;
  });
  const isTaken = failure?.problem?.code === 'email_taken';

  return (
    <>
      <AccountForm
        title={pages.register.title}
        submitLabel={accountTexts.signUp}
        isBusy={isBusy}
        onSubmit={onSubmit}
        failure={isTaken ? null : failure}
        isForGuests
        aside={<Link href={pageRoutes.login}>{accountTexts.haveAccount}</Link>}
      >
        <TextField
          label={accountTexts.name}
          name="name"
          autoComplete="name"
          dir="auto"
          required
          hint={accountTexts.nameHint}
          error={fieldError(failure, 'name')}
        />
        <EmailField
          hint={accountTexts.emailHint}
          error={isTaken ? failureText(failure) : fieldError(failure, 'email')}
        />
        <NewPasswordField error={warning ?? fieldError(failure, 'password')} />
      </AccountForm>
      <ErrorModal failure={failure} />
    </>
  );
}
