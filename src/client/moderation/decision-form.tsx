import { type ChangeEvent, useEffect, useId, useRef } from 'react';
import type { Problem } from '../../shared/errors.ts';
import {
  type Action,
  type Category,
  categories,
  type Decision,
  type NewDecision,
} from '../../shared/moderation.ts';
import { fieldError } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Field, TextAreaField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { useDraftForm } from '../components/use-draft-form.ts';
import { fieldText } from '../components/use-submit.ts';
import { useUser } from '../state/store-provider.tsx';
import { changeDraft, useDraft } from '../storage/drafts.ts';
import styles from './decision-form.module.css';
import { DecisionLine } from './decision-line.tsx';
import { decide, staffFailureText } from './moderation-calls.ts';
import { actionTexts, categoryTexts, decisionTexts } from './moderation-texts.ts';

/** The numbers of days on offer; 0 for no end. */
const dayChoices: Partial<Record<Action, number[]>> = {
  silence: [1, 7, 30],
  suspend: [7, 30, 365, 0],
};

interface DecisionFormProps {
  subject: NewDecision['subject'];
  action: Action;
  /** The version of an item of the queue. */
  version?: string;
  /** On the button, instead of the action's own text. */
  label?: string;
  /** The category that is chosen at first. */
  category?: Category;
  /** Why it cannot be sent as it is. */
  refusal?: string;
  /** Whether a reason is required even where the action does not need one, as in the answer to an appeal. */
  needsReason?: boolean;
  /** Called with the new decision, or with another moderator's that came first. */
  onDone: (decision: Decision) => void;
  onCancel: () => void;
  /** Called when the server refuses the decision since something has changed: what is shown is asked for again. */
  onStale?: () => void;
}

/** Asks for the category and the reason of a decision and sends it. What is typed and chosen is a draft, one for each action on a subject. */
export function DecisionForm({
  subject,
  action,
  version,
  label = actionTexts[action],
  category = 'other',
  refusal,
  needsReason = action !== 'dismiss',
  onDone,
  onCancel,
  onStale,
}: DecisionFormProps) {
  const { id: userId } = useUser();
  const id = useId();
  const draft = {
    key: `decision-draft ${userId} ${action} ${subject.kind === 'arrivals' ? 'arrivals' : `${subject.kind} ${subject.id}`}`,
    unchanged: { text: '', category: category as string, days: '7' },
  };
  const chosen = useDraft(draft, (content) => content);
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) =>
    changeDraft(draft, { [target.name]: target.value });
  const days = dayChoices[action];
  const isRefusal = subject.kind === 'user' && action === 'reject';

  const send = async (text: string, form: HTMLFormElement) => {
    if (refusal) return { ok: false as const, problem: { detail: refusal } as Problem };
    if (!text && needsReason) return missingReason;
    const chosenDays = Number(fieldText(form, 'days'));
    const result = await request(decide, {
      subject,
      action,
      category: (fieldText(form, 'category') || category) as Category,
      ...(version && { version }),
      ...(chosenDays && { days: chosenDays }),
      ...(text && { reason: text }),
    });
    const { status = 0, decision = null } = (!result.ok && result.problem) || {};
    if ([403, 404, 409].includes(status) && !decision) onStale?.();
    return result;
  };
  const { failure, finish, form, field, ...canceling } = useDraftForm({
    draft,
    first: 'select, [type=submit]',
    send,
    onSent: onDone,
    onCancel,
    ...(version && { goneText: decisionTexts.gone }),
  });

  const error = fieldError(failure, 'reason');
  const other = failure?.problem?.decision;
  const goOn = useRef<HTMLButtonElement>(null);
  // It takes the place of the button that had the focus.
  useEffect(() => {
    const { activeElement, body } = document;
    if (other && (activeElement === body || form.ref.current?.contains(activeElement)))
      goOn.current?.focus();
  }, [other, form.ref]);
  return (
    <form {...form} className={`box ${styles.form}`} aria-labelledby={id}>
      <p>
        <strong id={id}>{label}.</strong>{' '}
        {isRefusal ? decisionTexts.notLetIn : decisionTexts.effects[action]}
      </p>
      {(action !== 'dismiss' || needsReason) && (
        <Field label={decisionTexts.category}>
          {(attributes) => (
            <select {...attributes} name="category" value={chosen.category} onChange={choose}>
              {categories.map((one) => (
                <option key={one} value={one}>
                  {categoryTexts[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {days && (
        <Field label={decisionTexts.until} error={fieldError(failure, 'days')}>
          {(attributes) => (
            <select {...attributes} name="days" value={chosen.days} onChange={choose}>
              {days.map((count) => (
                <option key={count} value={count}>
                  {decisionTexts.days(count)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <TextAreaField
        label={needsReason ? decisionTexts.reason : decisionTexts.optionalReason}
        hint={needsReason ? decisionTexts.reasonHint : undefined}
        error={error}
        rows={3}
        aria-required={needsReason}
        {...field}
      />
      {failure && !error && !other && <Alert isScrolledTo>{staffFailureText(failure)}</Alert>}
      {other ? (
        <div role="alert" className="box">
          <p>{decisionTexts.decidedBefore}</p>
          <DecisionLine decision={other} />
          <button
            ref={goOn}
            type="button"
            className={buttons.primary}
            onClick={() => finish(other)}
          >
            {decisionTexts.goOn}
          </button>
        </div>
      ) : (
        <EditButtons label={label} question={decisionTexts.discard} {...canceling.buttons} />
      )}
    </form>
  );
}

const missingReason = {
  ok: false as const,
  problem: { errors: [{ field: 'reason', message: decisionTexts.missingReason }] } as Problem,
};
