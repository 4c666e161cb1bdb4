import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import {
  type Category,
  categories,
  type Decision,
  type NewDecision,
} from '../../shared/moderation.ts';
import { fieldError } from '../api/failures.ts';
import { accountKey } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { EditButtons } from '../components/edit-buttons.tsx';
import { Field, TextAreaField } from '../components/field.tsx';
import { Alert } from '../components/notice.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { fieldText } from '../components/use-submit.ts';
import { useTextForm } from '../components/use-text-form.ts';
import { useUser } from '../state/store-provider.tsx';
import styles from './decision-form.module.css';
import { decisionTexts, type StaffAction } from './decision-texts.ts';
import { categoryTexts } from './log-texts.ts';
import { decide, decisionOf, staffFailureText, undoDecision } from './staff-calls.ts';
import { actionTexts } from './subject-actions.ts';

/** The numbers of days on offer; 0 for no end. */
const dayChoices: Partial<Record<StaffAction, number[]>> = {
  silence: [1, 7, 30],
  suspend: [7, 30, 365, 0],
};

/** A decision to make, or to undo. */
export type Task =
  | Pick<NewDecision, 'subject' | 'action' | 'version'>
  | { action: 'undo'; decisionId: string };

interface DecisionFormProps {
  task: Task;
  /** On the button, instead of the action's own text. */
  label?: string;
  /** The category that is chosen at first. */
  category?: Category;
  /** @param isEarlier whether it was made before this one, which the status bar says */
  onDone: (decision: Decision, isEarlier: boolean) => void;
  onCancel: () => void;
}

/** Asks for the category and the reason of a decision and sends it. */
export function DecisionForm({
  task,
  label = actionTexts[task.action],
  category = 'other',
  onDone,
  onCancel,
}: DecisionFormProps) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const id = useId();
  const { action } = task;
  const isUndo = 'decisionId' in task;
  const kind = isUndo ? null : task.subject.kind;
  const days = dayChoices[action];
  const needsReason = action !== 'dismiss' || kind === 'appeal';
  const isRefusal = kind === 'user' && action === 'reject';

  const send = async (reason: string, form: HTMLFormElement) => {
    const chosenDays = Number(fieldText(form, 'days'));
    const result = isUndo
      ? await request(undoDecision, { id: task.decisionId, reason })
      : await request(decide, {
          ...task,
          category: (fieldText(form, 'category') || category) as Category,
          ...(chosenDays && { days: chosenDays }),
          ...(reason && { reason }),
        });
    if (result.ok) return result;
    const earlier = decisionOf(result);
    if (earlier) {
      showStatus({ text: decisionTexts.decidedBefore(earlier) });
      onDone(earlier, true);
      return null;
    }
    // The case may have changed since the page asked for it.
    if (result.problem) queryClient.invalidateQueries({ queryKey: accountKey(userId) });
    return result;
  };
  const { failure, form, field, ...canceling } = useTextForm({
    about: JSON.stringify({ ...task, version: undefined }),
    first: needsReason ? 'select, textarea' : '[type=submit]',
    send,
    failedText: (failed) => `${decisionTexts.notDecided(label)} ${staffFailureText(failed)}`,
    onSent: (decision) => onDone(decision, false),
    onCancel,
  });

  const error = fieldError(failure, 'reason');
  return (
    <form {...form} className={`box ${styles.form}`} aria-labelledby={id}>
      <p>
        <strong id={id}>{`${label}.`}</strong>{' '}
        <span>{isRefusal ? decisionTexts.notLetIn : decisionTexts.effects[action]}</span>
      </p>
      {needsReason && !isUndo && (
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
        required={needsReason}
        {...field}
      />
      {failure && !error && <Alert isScrolledTo>{staffFailureText(failure)}</Alert>}
      <EditButtons label={label} {...canceling.buttons} />
    </form>
  );
}
