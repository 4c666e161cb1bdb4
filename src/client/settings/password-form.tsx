import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { refetchNow } from '../api/user-query.ts';
import { PasswordField } from '../session/passwords/password-field.tsx';
import { useUser } from '../state/store-provider.tsx';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { type Form, type FormOptions, useForm } from '../ui/forms/use-form.ts';
import styles from '../ui/styles/settings.module.css';

interface PasswordFormProps<Output>
  extends Pick<FormOptions<Output>, 'send' | 'onSent' | 'onCancel'> {
  title: string;
  submitLabel: string;
  destroys?: boolean;
  /** Name of the field shown above the password. */
  field?: string;
  children?: (form: Form) => ReactNode;
}

/** A form that changes the account and asks for the current password. Its first field gets the focus. */
export function PasswordForm<Output>({
  title,
  submitLabel,
  destroys,
  field = '',
  send,
  onSent,
  onCancel,
  children,
}: PasswordFormProps<Output>) {
  const queryClient = useQueryClient();
  const { id, email } = useUser();
  const form = useForm({
    fields: [field, 'currentPassword'],
    first: 'input:not([hidden])',
    async send(...form) {
      try {
        return await send(...form);
      } catch (error) {
        if (error instanceof Failure && error.isUnknown)
          await refetchNow(queryClient, { queryKey: accountKey(id) });
        throw error;
      }
    },
    failedText: ({ text, isUnknown }) =>
      isUnknown ? `${text} Puede que el cambio se haya hecho.` : text,
    onSent,
    onCancel,
  });

  return (
    <form
      {...form.props}
      className={`stack ${styles.form}`}
      data-destroys={destroys}
      aria-label={title}
    >
      {/* For password managers, which otherwise take the field before the password for the user name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {children?.(form)}
      <PasswordField
        {...form.field('currentPassword')}
        label="Contraseña actual"
        autoComplete="current-password"
      />
      <FormEnd form={form} label={submitLabel} />
    </form>
  );
}
