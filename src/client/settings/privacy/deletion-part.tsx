import { useRef } from 'react';
import type { DeletionRequested } from '../../../shared/account-settings.ts';
import { limits } from '../../../shared/limits.ts';
import { request } from '../../api/request.ts';
import { tellTabs } from '../../session/tabs.ts';
import { useProfile } from '../../session/use-profile.ts';
import { ActionButton } from '../../ui/forms/action-button.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { withStatus } from '../../ui/status/with-status.ts';
import buttons from '../../ui/styles/button.module.css';
import lists from '../../ui/styles/list.module.css';
import styles from '../../ui/styles/settings.module.css';
import { restoreAccount } from '../settings-calls.ts';
import { DeletionForm } from './deletion-form.tsx';
import { DeletionReceipt } from './deletion-receipt.tsx';
import { deletionTexts } from './deletion-texts.ts';

export const deletionHeadingId = 'eliminar-la-cuenta';

/** A button to request the account's deletion or, once it is requested, the receipt and a button to cancel. */
export function DeletionPart() {
  const profile = useProfile();
  const heading = useRef<HTMLHeadingElement>(null);
  /** Shows whether a deletion is requested. */
  const show = async (said: string) => {
    await profile.refetch();
    // The button that had the focus is removed.
    heading.current?.focus({ preventScroll: true });
    requestAnimationFrame(() => heading.current?.scrollIntoView({ block: 'nearest' }));
    showStatus({ text: said });
    tellTabs();
  };
  return (
    <>
      <div className={lists.what}>
        <h3 ref={heading} id={deletionHeadingId} tabIndex={-1}>
          Eliminar la cuenta
        </h3>
        {!profile.data?.deletion && (
          <p className="note">{`La cuenta se borra ${limits.deletionDays} días después de que lo solicites. Hasta entonces todo sigue como siempre y puedes cancelar la eliminación.`}</p>
        )}
      </div>
      <Loaded query={profile}>
        {({ deletion }) =>
          deletion ? (
            <Requested {...deletion} onCanceled={() => show('Tu cuenta ya no se va a eliminar.')} />
          ) : (
            <DeletionForm onRequested={() => show('Has solicitado la eliminación de la cuenta.')} />
          )
        }
      </Loaded>
    </>
  );
}

function Requested({ onCanceled, ...requested }: DeletionRequested & { onCanceled: () => void }) {
  const cancel = async () => {
    if (await withStatus('No se pudo cancelar la eliminación.', () => request(restoreAccount)))
      onCanceled();
  };
  return (
    <>
      <p className={styles.line}>{deletionTexts.endsAt(requested.endsAt)}</p>
      <p className="row">
        <ActionButton className={buttons.primary} run={cancel}>
          Cancelar la eliminación
        </ActionButton>
        <button type="button" className={buttons.quiet} onClick={() => print()}>
          Imprimir el justificante
        </button>
      </p>
      <DeletionReceipt {...requested} />
    </>
  );
}
