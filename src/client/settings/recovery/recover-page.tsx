import { useState } from 'react';
import { pages } from '../../../shared/pages.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { AccountForm, EmailField } from '../../account/account-form.tsx';
import { NewPasswordField, usePasswordWarning } from '../../account/new-password-field.tsx';
import { accountTexts } from '../../account-texts.ts';
import { type Failure, fieldError } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { Contact } from '../../components/contact.tsx';
import { TextField } from '../../components/field.tsx';
import { fieldText, useSubmit } from '../../components/use-submit.ts';
import { Link } from '../../router/navigation.tsx';
import { useRules } from '../../rules/use-rules.ts';
import { leaveForLogin } from '../../session/session-end.ts';
import { useStore } from '../../state/store-provider.tsx';
import styles from './recovery.module.css';
import { recover } from './recovery-calls.ts';
import { recoveryTexts } from './recovery-texts.ts';

/** Sets a new password with one of the printed codes. */
export function Recover() {
  const { dispatch, site } = useStore();
  const { data } = useRules({ enabled: site.contact === undefined });
  const contact = site.contact ?? data?.contact;
  const [failure, setFailure] = useState<Failure | null>(null);
  const { warning, mustWarn } = usePasswordWarning();

  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const email = fieldText(form, 'email');
    const password = fieldText(form, 'password');
    if (await mustWarn(password, [email])) return;
    const result = await request(recover, { email, code: fieldText(form, 'code'), password });
    if (!isShown()) return;
    // A new password ends every session of the account, this tab's too.
    if (result.ok) leaveForLogin(dispatch, 'password-saved', email);
    else setFailure(result);
  });
  // The server does not say which of the two fields is wrong.
  const isWrong = failure?.problem?.code === 'recovery_failed' || undefined;

  return (
    <AccountForm
      title={pages.recover.title}
      submitLabel={accountTexts.savePassword}
      isBusy={isBusy}
      onSubmit={onSubmit}
      failure={failure}
      aside={<Link href={pageRoutes.login}>{accountTexts.signIn}</Link>}
    >
      <div className={styles.ways}>
        <p>{recoveryTexts.recoverIntro}</p>
        <ul>
          <li>{recoveryTexts.withCode}</li>
          <li>
            <span>{recoveryTexts.withLink}</span> {contact && <Contact contact={contact} />}
          </li>
        </ul>
      </div>
      <EmailField aria-invalid={isWrong} error={fieldError(failure, 'email')} />
      <TextField
        label={recoveryTexts.code}
        hint={recoveryTexts.codeHint}
        name="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        aria-invalid={isWrong}
        error={fieldError(failure, 'code')}
      />
      <NewPasswordField
        label={recoveryTexts.newPassword}
        hint={accountTexts.passwordEndsSessions}
        error={warning ?? fieldError(failure, 'password')}
      />
    </AccountForm>
  );
}
