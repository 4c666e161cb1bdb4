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
  onCancel: () => void;
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
<<<<<<< HEAD
  if (isAsking) {
    const labels = [accountTexts.discard, accountTexts.keepEditing] as const;
    return <Question {...{ question, labels }} onConfirm={onDiscard} onCancel={onKeepEditing} />;
  }
=======
  if (isAsking) return <DiscardQuestion {...{ question, onDiscard, onKeepEditing }} />;
>>>>>>> origin/main
  return (
    <div className={styles.buttons}>
      <button
        type="button"
        className={buttons.quiet}
        aria-disabled={isSending || undefined}
        onClick={onCancel}
      >
        {accountTexts.cancel}
      </button>
      <SubmitButton label={label} isBusy={isBusy} />
    </div>
  );
}

<<<<<<< HEAD
interface QuestionProps {
  question: string;
  labels: readonly [confirm: string, cancel: string];
  isBusy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks in place before something is lost. The button that loses nothing gets the focus. */
export function Question({ question, labels, isBusy, onConfirm, onCancel }: QuestionProps) {
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-disabled': isBusy };
  return (
    <div className={styles.buttons} role="alert">
      <p>{question}</p>
      <button {...button} onClick={onConfirm}>
        {labels[0]}
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the question may be out of view */}
      <button {...button} autoFocus onClick={() => isBusy || onCancel()}>
        {labels[1]}
=======
type DiscardQuestionProps = Required<
  Pick<EditButtonsProps, 'question' | 'onDiscard' | 'onKeepEditing'>
>;

/** Asks whether to discard what was typed. */
export function DiscardQuestion({ question, onDiscard, onKeepEditing }: DiscardQuestionProps) {
  return (
    <div className={styles.buttons} role="alert">
      <p>{question}</p>
      <button type="button" className={buttons.quiet} onClick={onDiscard}>
        {accountTexts.discard}
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the question may be out of view */}
      <button type="button" className={buttons.quiet} autoFocus onClick={onKeepEditing}>
        {accountTexts.keepEditing}
>>>>>>> origin/main
      </button>
    </div>
  );
}
