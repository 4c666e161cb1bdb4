import { useState } from 'react';
import { Failure, orFailure } from '../../api/failures.ts';
import { request } from '../../api/request.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { getProfile } from '../../session/account-calls.ts';
import { CheckField } from '../../ui/forms/check-field.tsx';
import buttons from '../../ui/styles/button.module.css';
import styles from '../../ui/styles/settings.module.css';
import { PasswordForm } from '../password-form.tsx';
import { deleteAccount } from '../settings-calls.ts';
import { deletionTexts } from './deletion-texts.ts';

/**
 * Asks whether to erase the account's content, and for the password. The deletion can be cancelled for
 * `limits.deletionDays`.
 */
export function DeletionForm({ onRequested }: { onRequested: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const profile = useUserQuery(getProfile);
  if (!isOpen) {
    return (
      <button type="button" className={buttons.quiet} data-destroys onClick={() => setOpen(true)}>
        Eliminar mi cuenta
      </button>
    );
  }
  return (
    <PasswordForm
      title="Eliminar la cuenta"
      submitLabel="Eliminar la cuenta"
      destroys
      send={async (text) => {
        const content = text('content') === 'erase' ? 'erase' : 'anonymous';
        const failure = await orFailure(
          request(deleteAccount, { content, currentPassword: text('currentPassword') }),
        );
        if (failure instanceof Failure) {
          // Without a response, the deletion may have been requested.
          const { data } = failure.problem ? {} : await profile.refetch();
          if (!data?.deletion) throw failure;
        }
        await onRequested();
      }}
      onCancel={() => setOpen(false)}
    >
      {({ isBusy }) => (
        <fieldset disabled={isBusy} className={`stack tight ${styles.choices}`}>
          <legend>Qué pasa con lo que escribiste</legend>
          <CheckField
            type="radio"
            name="content"
            value="anonymous"
            label={deletionTexts.content.anonymous}
            hint="Aparecerán como de «cuenta eliminada» y las conversaciones se seguirán entendiendo."
            defaultChecked
          />
          <CheckField
            type="radio"
            name="content"
            value="erase"
            label={deletionTexts.content.erase}
            hint="Se borrarán tus comentarios, imágenes y canales. Los canales en los que escribieron otras personas se quedarán, sin tu nombre."
          />
        </fieldset>
      )}
    </PasswordForm>
  );
}
