import { type ComponentProps, type FormEventHandler, type ReactNode, useState } from 'react';
import { accountTexts } from '../account-texts.ts';
import { type Failure, failureText, type Result } from '../api/failures.ts';
import { CommentText } from '../comments/comment-text.tsx';
import { TextField } from '../components/field.tsx';
import styles from '../components/form-page.module.css';
import { NeedsScript } from '../components/needs-script.tsx';
import { Alert } from '../components/notice.tsx';
import { PageBoundary } from '../components/page-boundary.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { SubmitButton } from '../components/submit-button.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { useStore } from '../state/store-provider.tsx';

/**
 * Submits a guest's form with `send`, which resolves to null when it has sent nothing. A failure also
 * opens the error modal, while the form is shown.
 */
export function useGuestForm(
  send: (form: HTMLFormElement, isShown: () => boolean) => Promise<Result<unknown> | null>,
) {
  const { dispatch } = useStore();
  const [failure, setFailure] = useState<Failure | null>(null);
  const { isBusy, onSubmit } = useSubmit(async (form, isShown) => {
    setFailure(null);
    const result = await send(form, isShown);
    if (!result || result.ok || !isShown()) return;
    setFailure(result);
    dispatch({ type: 'SET_ERROR' });
  });
  return { failure, isBusy, onSubmit, reset: () => setFailure(null) };
}

const outcomes = ['awaiting_approval', 'refused'];

/** Why an account does not get in whose data are right: it waits for a moderator, or was refused. */
export const outcomeOf = (failure: Failure | null) =>
  outcomes.includes(failure?.problem?.code ?? '') ? failure?.problem : null;

/** A page in place of a form. The focus goes to its title, since the form's button may have had it. */
export function Outcome({
  title,
  detail = '',
  children,
}: {
  title: string | undefined;
  detail?: string;
  children: ReactNode;
}) {
  return (
    <div ref={focusTitle} className={`${styles.page} ${styles.narrow}`} data-for="guest">
      <PageTitle>{title}</PageTitle>
      <CommentText text={detail} />
      <div className={styles.aside}>{children}</div>
    </div>
  );
}

const focusTitle = (page: HTMLElement | null) => page?.querySelector('h1')?.focus();

interface AccountFormProps {
  title: string | undefined;
  submitLabel: string;
  isBusy: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
  /** The failure to show above the button, unless its text is the one of the error modal. */
  failure: Failure | null;
  /** Hidden from signed-in users, who are redirected. */
  isForGuests?: boolean;
  /** The fields. */
  children: ReactNode;
  /** Shown below the button. */
  otherWay?: ReactNode;
  /** Shown below the form. */
  aside?: ReactNode;
}

/** A page that consists of a form. */
export function AccountForm({
  title,
  submitLabel,
  isBusy,
  onSubmit,
  failure,
  isForGuests = false,
  children,
  otherWay,
  aside,
}: AccountFormProps) {
  const message = failure && failureText(failure);
  return (
    <div className={`${styles.page} ${styles.narrow}`} data-for={isForGuests ? 'guest' : undefined}>
      <PageTitle>{title}</PageTitle>
      <NeedsScript />
      <PageBoundary>
        <form className={styles.form} method="post" onSubmit={onSubmit}>
          {children}
          {message && message !== accountTexts.wrongData && <Alert>{message}</Alert>}
          <SubmitButton className={styles.submit} label={submitLabel} isBusy={isBusy} />
          {otherWay}
        </form>
      </PageBoundary>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}

type FieldProps = Partial<ComponentProps<typeof TextField>>;

/** Accepts any text, as the server does; `type="email"` would reject some. */
export function EmailField(props: FieldProps) {
  return (
    <TextField
      label={accountTexts.email}
      name="email"
      type="text"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}

export function PasswordField(props: FieldProps) {
  return (
    <TextField
      label={accountTexts.password}
      name="password"
      type="password"
      autoComplete="new-password"
      required
      {...props}
    />
  );
}
