import { accountTexts } from '../account-texts.ts';
import { Alert } from '../notice.tsx';
import buttons from '../styles/button.module.css';
import { SubmitButton } from './submit-button.tsx';
import type { Form } from './use-form.ts';

interface FormEndProps {
  form: Omit<Form, 'props'>;
  label?: string;
  question?: string;
}

/**
 * The end of a form that can be cancelled: the reason for a failure, and the buttons or, before typed text is
 * discarded, a question in their place.
 */
export function FormEnd({
  form: { alert, alertId, isAsking, isBusy, isSending, cancel, discard, keepEditing },
  label = accountTexts.save,
  question = '¿Descartar los cambios?',
}: FormEndProps) {
  return (
    <>
      {alert && !isAsking && (
        <Alert id={alertId} isScrolledTo>
          {alert}
        </Alert>
      )}
      {isAsking && (
        <DiscardQuestion question={question} onDiscard={discard} onKeepEditing={keepEditing} />
      )}
      {!isAsking && (
        <div className="row end">
          {cancel && (
            <button
              type="button"
              className={buttons.quiet}
              aria-disabled={isSending || undefined}
              onClick={cancel}
            >
              {accountTexts.cancel}
            </button>
          )}
          <SubmitButton label={label} isBusy={isBusy} />
        </div>
      )}
    </>
  );
}

interface DiscardQuestionProps {
  question: string;
  onDiscard: () => void;
  onKeepEditing: () => void;
  labels?: readonly [discard: string, keep: string];
  isBusy?: boolean;
}

/** Asks whether to discard typed text. The button that keeps it gets the focus. */
export function DiscardQuestion({
  question,
  labels: [discard, keep] = [accountTexts.discard, 'Seguir editando'],
  isBusy,
  onDiscard,
  onKeepEditing,
}: DiscardQuestionProps) {
  const type = 'button' as const;
  const button = { type, className: buttons.quiet, 'aria-disabled': isBusy };
  return (
    <div className="row end" role="alert">
      <p>{question}</p>
      <button {...button} data-destroys onClick={onDiscard}>
        {discard}
      </button>
      {/* biome-ignore lint/a11y/noAutofocus: the question may be out of view */}
      <button {...button} autoFocus onClick={() => isBusy || onKeepEditing()}>
        {keep}
      </button>
    </div>
  );
}
