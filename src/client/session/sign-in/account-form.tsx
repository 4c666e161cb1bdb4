import type { ComponentProps, ReactNode } from 'react';
import type { Failure } from '../../api/failures.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { NeedsScript } from '../../ui/forms/needs-script.tsx';
import { SubmitButton } from '../../ui/forms/submit-button.tsx';
import type { Form } from '../../ui/forms/use-form.ts';
import { PageBoundary } from '../../ui/loading/page-boundary.tsx';
import { Alert } from '../../ui/notice.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from '../../ui/styles/form-page.module.css';

const outcomes = ['awaiting_approval', 'refused'];

/** Why an account cannot sign in despite correct credentials: it awaits approval or was refused. */
export const outcomeOf = (failure: Failure | null) =>
  outcomes.includes(failure?.code ?? '') ? failure?.problem : null;

interface OutcomeProps {
  title: string | undefined;
  detail?: string;
  /** Hidden from signed-in users. */
  isForGuests?: boolean;
  children: ReactNode;
}

/** A page in place of a form. Its title gets the focus, since the form's button may have had it. */
export function Outcome({ title, detail = '', isForGuests = true, children }: OutcomeProps) {
  return (
    <div
      ref={focusTitle}
      className={`page ${styles.page}`}
      data-for={isForGuests ? 'guest' : undefined}
    >
      <PageTitle>{title}</PageTitle>
      <CommentText text={detail} />
      <div className={`links stack tight ${styles.aside}`}>{children}</div>
    </div>
  );
}

const focusTitle = (page: HTMLElement | null) => page?.querySelector('h1')?.focus();

interface AccountFormProps {
  title: string | undefined;
  submitLabel: string;
  form: Form;
  /** Hidden from signed-in users, who are redirected. */
  isForGuests?: boolean;
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
  form,
  isForGuests = false,
  children,
  otherWay,
  aside,
}: AccountFormProps) {
  return (
    <div className={`page ${styles.page}`} data-for={isForGuests ? 'guest' : undefined}>
      <PageTitle>{title}</PageTitle>
      <NeedsScript />
      <PageBoundary>
        <form {...form.props} className={`stack ${styles.form}`}>
          {children}
          {/* The modal reports wrong credentials. */}
          {form.alert && form.failure?.code !== 'wrong_credentials' && <Alert>{form.alert}</Alert>}
          <SubmitButton className={styles.submit} label={submitLabel} isBusy={form.isBusy} />
          {otherWay}
        </form>
      </PageBoundary>
      {aside && <div className={`links stack tight ${styles.aside}`}>{aside}</div>}
    </div>
  );
}

type FieldProps = Partial<ComponentProps<typeof TextField>>;

/** Accepts any text, as the server does; `type="email"` would reject some addresses. */
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
