import { useEffect, useRef } from 'react';
import { errorTexts } from '../../../shared/error-texts.ts';
import type { Failure } from '../../api/failures.ts';
import { useAppState, useStore } from '../../state/store-provider.tsx';
import { focusRefusedField } from '../../ui/forms/use-form.ts';
import buttons from '../../ui/styles/button.module.css';
import styles from './error-modal.module.css';

/**
 * Opens when a form fails and the state has an error. A native dialog: it traps the focus and returns it to the
 * form.
 * @param failure of the form on this page; null when the form itself shows why, or the error in the state belongs
 * to another page
 */
export function ErrorModal({ failure }: { failure: Failure | null }) {
  const { dispatch } = useStore();
  const hasError = useAppState((state) => state.error);
  const isOpen = hasError && failure !== null;
  const ref = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (failure) dispatch({ type: 'SET_ERROR' });
  }, [failure, dispatch]);
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);

  return (
    <dialog
      ref={ref}
      className={styles.modal}
      aria-labelledby="error-modal-title"
      aria-describedby="error-modal-text"
      onClose={() => {
        dispatch({ type: 'DELETE_ERROR' });
        focusRefusedField(document);
      }}
    >
      <h2 id="error-modal-title">Error</h2>
      <p id="error-modal-text">{errorTexts.wrongCredentials}</p>
      <button type="button" className={buttons.primary} onClick={() => ref.current?.close()}>
        Aceptar
      </button>
    </dialog>
  );
}
