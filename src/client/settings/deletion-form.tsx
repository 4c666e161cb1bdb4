import { useEffect, useRef, useState } from 'react';
import type { DeleteAccount, DeletionRequested } from '../../shared/account-settings.ts';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { CheckField } from '../components/check-field.tsx';
import { EmailText } from '../components/email-text.tsx';
import { Alert } from '../components/notice.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useUser } from '../state/store-provider.tsx';
import { CurrentPasswordField, passwordError } from './current-password-field.tsx';
import deletionStyles from './deletion.module.css';
import { PasswordOwner } from './password-owner.tsx';
import styles from './settings.module.css';
import { deleteAccount } from './settings-calls.ts';
import { settingsTexts } from './settings-texts.ts';
import { useOpener } from './use-opener.ts';

interface DeletionFormProps {
  onRequested: (requested: DeletionRequested) => void;
}

/** Asks whether to erase the account's content, and for the password; asks again before it sends the request. */
export function DeletionForm({ onRequested }: DeletionFormProps) {
  const [isOpen, setOpen] = useState(false);
  const [checked, setChecked] = useState<DeleteAccount | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const opener = useOpener(isOpen);
  const form = useRef<HTMLFormElement>(null);
  const question = useRef<HTMLHeadingElement>(null);

  // The form and the question take turns.
  useEffect(() => {
    if (!isOpen) return;
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    const first = checked ? question.current : (find('[aria-invalid]') ?? find('input:checked'));
    first?.focus();
  }, [isOpen, checked]);

  const open = () => {
    setFailure(null);
    setOpen(true);
  };
  const close = () => setOpen(false);
  const askAgain = useSubmit(async (submitted) => {
    setFailure(null);
    const content = fieldText(submitted, 'content') === 'erase' ? 'erase' : 'anonymous';
    const currentPassword = fieldText(submitted, 'currentPassword');
    setChecked({ content, currentPassword });
  });
  const goBack = () => setChecked(null);
  const send = useSubmit(async (_submitted, isShown) => {
    if (!checked) return;
    const result = await request(deleteAccount, checked);
    if (!isShown()) return;
    if (result.ok) return onRequested(result.value);
    setFailure(result);
    goBack();
  });

  const message = failure && failureText(failure);
  return (
    <>
      {!isOpen && (
        <button ref={opener} type="button" className={buttons.quiet} onClick={open}>
          {settingsTexts.deleteOpen}
        </button>
      )}
      {/* Hidden rather than removed during the second question, so that its values stay. */}
      {isOpen && (
        <form
          ref={form}
          className={styles.form}
          method="post"
          aria-label={settingsTexts.delete}
          onSubmit={askAgain.onSubmit}
          hidden={checked !== null}
        >
          <PasswordOwner />
          <fieldset className={deletionStyles.choices}>
            <legend>{settingsTexts.deleteContent}</legend>
            <CheckField
              type="radio"
              name="content"
              value="anonymous"
              label={settingsTexts.anonymous}
              hint={settingsTexts.anonymousHint}
              defaultChecked
            />
            <CheckField
              type="radio"
              name="content"
              value="erase"
              label={settingsTexts.erase}
              hint={settingsTexts.eraseHint}
            />
          </fieldset>
          <CurrentPasswordField failure={failure} />
          {message && !passwordError(failure) && <Alert>{message}</Alert>}
          <p className="buttons">
            <SubmitButton label={settingsTexts.continue} isBusy={false} />
            <button type="button" className={buttons.quiet} onClick={close}>
              {accountTexts.cancel}
            </button>
          </p>
        </form>
      )}
      {checked && (
        <form className={`box ${deletionStyles.question}`} method="post" onSubmit={send.onSubmit}>
          <h4 ref={question} tabIndex={-1}>
            {settingsTexts.checkTitle}
          </h4>
          <Account />
          <p>
            {checked.content === 'erase' ? settingsTexts.checkErase : settingsTexts.checkAnonymous}
          </p>
          <p>{settingsTexts.checkUntil}</p>
          <p className="buttons">
            <SubmitButton label={settingsTexts.deleteNow} isBusy={send.isBusy} />
            <button type="button" className={buttons.quiet} onClick={goBack}>
              {settingsTexts.back}
            </button>
          </p>
        </form>
      )}
    </>
  );
}

function Account() {
  const { name, email } = useUser();
  return (
    <p>
      <bdi className={styles.label}>{name}</bdi>
      <br />
      <bdi>
        <EmailText email={email} />
      </bdi>
    </p>
  );
}
