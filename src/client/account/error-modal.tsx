import { useEffect, useRef } from 'react';
import buttons from '../components/button.module.css';
import { accountTexts } from './account-texts.ts';
import styles from './error-modal.module.css';

interface ErrorModalProps {
  isOpen: boolean;
  onClose: () => void;
}

/** A native dialog: it keeps the focus, and gives it back to where it was in the form. */
export function ErrorModal({ isOpen, onClose }: ErrorModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const close = () => ref.current?.close();

  useEffect(() => {
    const dialog = ref.current;
    if (isOpen && !dialog?.open) dialog?.showModal();
    if (!isOpen) dialog?.close();
  }, [isOpen]);

  return (
    <dialog
      ref={ref}
      className={styles.modal}
      aria-labelledby="error-modal-title"
      aria-describedby="error-modal-text"
      onClose={onClose}
    >
      <h2 id="error-modal-title">{accountTexts.errorTitle}</h2>
      <p id="error-modal-text">{accountTexts.wrongData}</p>
      <button type="button" className={buttons.primary} onClick={close}>
        {accountTexts.accept}
      </button>
    </dialog>
  );
}
