import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import {
  type Action,
  type Category,
  categories,
  type Decision,
  type NewDecision,
} from '../../shared/moderation.ts';
import { type Failure, fieldError, refusalText } from '../api/failures.ts';
import { request } from '../api/request.ts';
import buttons from '../components/button.module.css';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Field, TextAreaField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { useCanceling } from '../components/use-canceling.ts';
import { fieldText, useSubmit } from '../components/use-submit.ts';
import { useUser } from '../state/store-provider.tsx';
import { changeDraft, discardDraft, readDraft, textDraft, useDraft } from '../storage/drafts.ts';
import styles from './decision-form.module.css';
import { DecisionLine } from './decision-line.tsx';
import { decide } from './moderation-calls.ts';
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
  /** Whether a reason is required even where the action does not need one, as in the answer to an appeal. */
  needsReason?: boolean;
  /** Called with the new decision, or with another moderator's that came first. */
  onDone: (decision: Decision) => void;
  onCancel: () => void;
  /** Called when the server refuses the decision since something has changed: what is shown is asked for again. */
  onStale?: () => void;
}

/** Asks for the category and the reason of a decision and sends it. What is typed outlives the page, as a draft does. */
export function DecisionForm({
  subject,
  action,
  version,
  label = actionTexts[action],
  category = 'other',
  needsReason = action !== 'dismiss',
  onDone,
  onCancel,
  onStale,
}: DecisionFormProps) {
  const { id: userId } = useUser();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const draft = reasonDraft(userId, subject);
  const reason = useDraft(draft, ({ text }) => text);
  const [failure, setFailure] = useState<Failure | null>(null);
  const days = dayChoices[action];
  const isRefusal = subject.kind === 'user' && action === 'reject';

  useEffect(() => form.current?.querySelector<HTMLElement>('select, [type=submit]')?.focus(), []);

  const done = (decision: Decision) => {
    discardDraft(draft);
    onDone(decision);
  };
  const { isBusy, onSubmit } = useSubmit(async (submitted) => {
    const text = readDraft(draft).text.trim();
    if (!text && needsReason) return setFailure(missingReason);
    setFailure(null);
    const chosenDays = Number(fieldText(submitted, 'days'));
    const result = await request(decide, {
      subject,
      action,
      category: (fieldText(submitted, 'category') || category) as Category,
      ...(version && { version }),
      ...(chosenDays && { days: chosenDays }),
      ...(text && { reason: text }),
    });
    // Also once the live stream has removed what the form is about.
    if (result.ok) return done(result.value);
    setFailure(result);
    const { status = 0, decision = null } = result.problem ?? {};
    if ([403, 404, 409].includes(status) && !decision) onStale?.();
  });
  const { onKeyDown, buttons: cancelButtons } = useCanceling({
    form,
    isBusy,
    isSending: isBusy,
    canEnd: () => readDraft(draft).text === '',
    end() {
      discardDraft(draft);
      onCancel();
    },
  });
  const sendByKey = ({ key, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.closest('form')?.requestSubmit();
  };

  const error = fieldError(failure, 'reason');
  const other = failure?.problem?.decision;
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      aria-labelledby={`${id}-title`}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <p>
        <strong id={`${id}-title`}>{label}.</strong>{' '}
        {isRefusal ? decisionTexts.notLetIn : decisionTexts.effects[action]}
      </p>
      {(action !== 'dismiss' || needsReason) && (
        <Field label={decisionTexts.category}>
          {(attributes) => (
            <select {...attributes} name="category" defaultValue={category}>
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
            <select {...attributes} name="days" defaultValue={7}>
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
        value={reason}
        onChange={({ target }) => changeDraft(draft, { text: target.value })}
        onKeyDown={sendByKey}
        aria-required={needsReason}
      />
      {failure && !error && !other && <Alert isScrolledTo>{refusalText(failure)}</Alert>}
      {other ? (
        <div role="alert" className={styles.other}>
          <p>{decisionTexts.decidedBefore}</p>
          <DecisionLine decision={other} />
          <button type="button" className={buttons.primary} onClick={() => done(other)}>
            {decisionTexts.goOn}
          </button>
        </div>
      ) : (
        <EditButtons label={label} question={decisionTexts.discard} {...cancelButtons} />
      )}
    </form>
  );
}

const missingReason = {
  problem: { errors: [{ field: 'reason', message: decisionTexts.missingReason }] },
} as Failure;

/** The reason as it is typed, one for each subject. */
const reasonDraft = (userId: string, subject: NewDecision['subject']) =>
  textDraft(
    `decision-draft ${userId} ${subject.kind === 'arrivals' ? 'arrivals' : `${subject.kind} ${subject.id}`}`,
  );
