import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { limits } from '../../../shared/limits.ts';
import type { Category, Decision, NewDecision } from '../../../shared/moderation.ts';
import { Failure, orFailure } from '../../api/failures.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { useUser } from '../../state/store-provider.tsx';
import { accountTexts } from '../../ui/account-texts.ts';
import { Field, TextAreaField } from '../../ui/forms/field.tsx';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { showStatus } from '../../ui/status/status-bar.tsx';
import { directions } from '../../ui/texts.ts';
import { actionText, isDestructive } from '../subject-actions.ts';
import styles from './decision-form.module.css';
import { decidedBeforeText, type StaffAction } from './decision-texts.ts';
import { categories, categoryReasons, categoryTexts } from './log-texts.ts';
import { decide, decisionOf, staffFailureText, undoDecision } from './staff-calls.ts';

/** The effect of each action, shown before it is confirmed. */
const effects = {
  hide: 'Deja de verse para todo el mundo. Se puede deshacer.',
  dismiss: 'Se queda como está.',
  silence: 'Podrá leer, pero no escribir.',
  suspend: 'No podrá usar su cuenta.',
  hideAll:
    'Deja de verse todo lo escrito, y no se podrá escribir más. Se puede deshacer de una vez.',
  approve: 'Se publica, y desde ahora lo que escriba ya no esperará revisión.',
  reject: 'No se publica. Quien lo escribió recibe el texto y el motivo.',
  undo: 'Todo vuelve a estar como antes, salvo lo que oculte otra decisión. No se puede deshacer.',
} satisfies Record<StaffAction, string>;

/** The durations on offer, in days, the default first; 0 means no end. */
const dayChoices: Partial<Record<StaffAction, number[]>> = {
  silence: [1, 7, 30],
  suspend: [7, 30, 365, 0],
};

/** A decision to make or to undo; undoing may answer an appeal. */
export type Task =
  | Pick<NewDecision, 'subject' | 'action' | 'version'>
  | { action: 'undo'; decision: Decision; appeal?: string };

interface DecisionFormProps {
  task: Task;
  /** The name of the person concerned; without one, it is said otherwise who reads the reason. */
  name?: string;
  /** The label of the button, if it differs from the action's text. */
  label?: string;
  /** The category selected at first. */
  category?: Category;
  /** @param isEarlier whether another moderator's earlier decision stands, which the status bar says */
  onDone: (decision: Decision, isEarlier: boolean) => void;
  onCancel: () => void;
}

/** Asks for the category and the reason of a decision and sends it. */
export function DecisionForm({
  task,
  name = '',
  label = actionText(task.action, name),
  category = 'other',
  onDone,
  onCancel,
}: DecisionFormProps) {
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const id = useId();
  const { action } = task;
  const isUndo = task.action === 'undo';
  const kind = isUndo ? null : task.subject.kind;
  const days = dayChoices[action];
  const needsReason = action !== 'dismiss' || kind === 'appeal';
  const isRefusal = kind === 'user' && action === 'reject';
  const hasCategory = needsReason && !isUndo;
  /** The category whose reason is proposed. An appeal is answered in words of one's own. */
  const [proposed, setProposed] = useState(category);

  const form = useForm({
    fields: ['reason', 'days'],
    first: needsReason ? 'select, textarea' : '[type=submit]',
    async send(text) {
      const [reason, chosenDays] = [text('reason').trim(), Number(text('days'))];
      const answer = await orFailure(
        isUndo
          ? request(undoDecision, { id: task.decision.id, reason, appeal: task.appeal })
          : request(decide, {
              ...task,
              category: (text('category') || category) as Category,
              ...(chosenDays && { days: chosenDays }),
              ...(reason && { reason }),
            }),
      );
      if (!(answer instanceof Failure)) return onDone(answer, false);
      const earlier = decisionOf(answer);
      if (earlier) {
        showStatus({ text: decidedBeforeText(earlier) });
        return onDone(earlier, true);
      }
      // The case may have changed since the page fetched it.
      if (answer.problem) void queryClient.invalidateQueries({ queryKey: accountKey(userId) });
      throw answer;
    },
    failedText: (failed) => `No se guardó tu decisión: ${label}. ${staffFailureText(failed)}`,
    onCancel,
  });

  return (
    <form
      {...form.props}
      className={`box ${styles.form}`}
      data-destroys={isDestructive(action) || undefined}
      aria-labelledby={id}
    >
      <p>
        <strong id={id}>{`${label}.`}</strong>{' '}
        <span>
          {isRefusal
            ? `No podrá entrar. Lee el motivo al iniciar sesión, y a los ${limits.trashDays} días se borra la cuenta.`
            : effects[action]}
        </span>
        {isUndo && task.decision.accounts > 1 && (
          <span>{` ${alsoShown(task.decision.accounts - 1)}`}</span>
        )}
      </p>
      {hasCategory && (
        <Field label="Categoría">
          {(attributes) => (
            <select
              {...attributes}
              name="category"
              defaultValue={category}
              onChange={({ currentTarget: { form, value } }) => {
                const reason = form?.elements.namedItem('reason');
                const isUnchanged =
                  reason instanceof HTMLTextAreaElement && reason.value === reason.defaultValue;
                const chosen = categories.find((one) => one === value);
                if (isUnchanged && chosen) setProposed(chosen);
              }}
            >
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
        <Field label="Durante" error={form.field('days').error}>
          {(attributes) => (
            <select {...attributes} name="days" defaultValue={days[0]}>
              {days.map((count) => (
                <option key={count} value={count}>
                  {daysText(count)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {/* A new key proposes the reason of another category. */}
      <TextAreaField
        key={proposed}
        label={needsReason ? 'Motivo' : 'Motivo (opcional)'}
        hint={needsReason ? readerText(name) : undefined}
        {...form.field('reason')}
        defaultValue={hasCategory && kind !== 'appeal' ? categoryReasons[proposed] : undefined}
        rows={3}
        required={needsReason}
      />
      <FormEnd form={form} label={label} question={accountTexts.discardText} />
    </form>
  );
}

const readerText = (name: string) =>
  name ? `Lo leerá ${name.replace(directions, '')}.` : 'Lo leerá la persona afectada.';

/** Shown in the form that undoes a decision about several accounts. */
function alsoShown(others: number): string {
  return `También vuelve lo de ${others === 1 ? 'la otra cuenta' : `las otras ${others} cuentas`}.`;
}

function daysText(count: number): string {
  if (count === 0) return 'Sin fecha de fin';
  return count === 1 ? '1 día' : `${count} días`;
}
