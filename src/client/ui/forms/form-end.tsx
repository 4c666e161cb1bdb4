import { useId } from 'react';
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
  form: { alert, isAsking, isBusy, isSending, cancel, discard, keepEditing },
  label = accountTexts.save,
  question = '¿Descartar los cambios?',
}: FormEndProps) {
  return (
    <>
      {alert && !isAsking && <Alert isScrolledTo>{alert}</Alert>}
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

/**
 * Asks whether to discard typed text. The button that keeps it gets the focus, and is announced with the question: an
 * alert would announce both again.
 */
export function DiscardQuestion({
  question,
  labels: [discard, keep] = [accountTexts.discard, 'Seguir editando'],
  isBusy,
  onDiscard,
  onKeepEditing,
}: DiscardQuestionProps) {
  const id = useId();
  const button = {
    type: 'button' as const,
    className: buttons.quiet,
    'aria-disabled': isBusy,
    'aria-describedby': id,
  };
  return (
    <div className="row end">
      <p id={id}>{question}</p>
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
