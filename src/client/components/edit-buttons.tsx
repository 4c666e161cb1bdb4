import { accountTexts } from '../account-texts.ts';
import buttons from './button.module.css';
import styles from './edit-buttons.module.css';
import { SubmitButton } from './submit-button.tsx';

interface EditButtonsProps {
  label?: string;
  question?: string;
  isBusy: boolean;
  /** Whether a request is on its way, which cannot be canceled. */
  isSending: boolean;
  /** Whether to ask if the changes are to be discarded, in place of the usual buttons. */
  isAsking: boolean;
  /** Undefined while there is nothing to cancel. */
  onCancel: (() => void) | undefined;
  onDiscard: () => void;
  onKeepEditing: () => void;
}

/** The buttons of a form that can be canceled, as one that changes something published: to cancel and to save. */
export function EditButtons({
  label = accountTexts.save,
  question = accountTexts.discardChanges,
  isBusy,
  isSending,
  isAsking,
  onCancel,
  onDiscard,
  onKeepEditing,
}: EditButtonsProps) {
  if (isAsking) return <DiscardQuestion {...{ question, onDiscard, onKeepEditing }} />;
  return (
    <div className={styles.buttons}>
      {onCancel && (
        <button
          type="button"
          className={buttons.quiet}
          aria-disabled={isSending || undefined}
          onClick={onCancel}
        >
          {accountTexts.cancel}
        </button>
      )}
      <SubmitButton label={label} isBusy={isBusy} />
    </div>
  );
}

interface DiscardQuestionProps
  extends Required<Pick<EditButtonsProps, 'question' | 'onDiscard' | 'onKeepEditing'>> {
  labels?: readonly [discard: string, keep: string];
  isBusy?: boolean;
}

/** Asks whether to discard what was typed. The button that loses nothing gets the focus. */
export function DiscardQuestion({
  question,
  labels: [discard, keep] = [accountTexts.discard, accountTexts.keepEditing],
  isBusy,
  onDiscard,
  onKeepEditing,
}: DiscardQuestionProps) {
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-disabled': isBusy };
  return (
    <div className={styles.buttons} role="alert">
      <p>{question}</p>
      <button {...button} onClick={onDiscard}>
        {discard}
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the question may be out of view */}
      <button {...button} autoFocus onClick={() => isBusy || onKeepEditing()}>
        {keep}
      </button>
    </div>
  );
}
