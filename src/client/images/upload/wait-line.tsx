import buttons from '../../ui/styles/button.module.css';
import type { UploadGate } from './use-upload-gate.ts';
import styles from './wait-line.module.css';

/** Says that a form waits for an image, with a button to cancel sending. */
export function WaitLine({
  gate: { isWaiting, cancel },
}: {
  gate: Omit<UploadGate<unknown>, 'untilKnown'>;
}) {
  return (
    <p className={`row ${styles.wait}`}>
      <span role="status">
        {isWaiting && 'Aún se está subiendo una imagen. Se enviará cuando termine.'}
      </span>
      {isWaiting && (
        <button
          ref={focusSubmitAfterwards}
          type="button"
          className={buttons.quiet}
          onClick={cancel}
        >
          No enviar todavía
        </button>
      )}
    </p>
  );
}

/**
 * Returns a ref callback for a button that moves the focus to the form's submit button when the focused button is
 * removed.
 */
const focusSubmitAfterwards = (button: HTMLButtonElement) => () => {
  if (document.activeElement !== button) return;
  button.form?.querySelector<HTMLElement>('[type="submit"]')?.focus();
};
