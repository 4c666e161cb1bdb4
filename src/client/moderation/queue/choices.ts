import type { QueueItem } from '../../../shared/moderation.ts';
import type { Task } from '../decisions/decision-form.tsx';
import type { StaffAction } from '../decisions/decision-texts.ts';
import { actionText } from '../subject-actions.ts';

/** An available decision. No two of an item have the same action. */
export interface Choice {
  label: string;
  task: Task;
}

/** The decisions available for a queue item, or undoing the decision already made. */
export function choicesOf(item: QueueItem): Choice[] {
  const { subject, version, state, author, appeal, pendingReason, decision } = item;
  if (decision) {
    const undo = { action: 'undo', decision } as const;
    const isOver = decision.isFinal || decision.undoneAt;
    return isOver ? [] : [{ label: actionText('undo', author.name), task: undo }];
  }
  if (appeal) {
    const { id, decision: appealed } = appeal;
    const uphold = { subject: { kind: 'appeal', id }, action: 'dismiss' } as const;
    const grant = { action: 'undo', decision: appealed, appeal: id } as const;
    return [
      { label: 'Mantener la decisión', task: uphold },
      { label: 'Anular la decisión', task: grant },
    ];
  }
  const choice = (action: Exclude<StaffAction, 'undo'>): Choice => ({
    label: actionText(action, author.name),
    task: { subject, version, action },
  });
  if (pendingReason) {
    const all = choice('hideAll');
    const task = { subject: { kind: 'user', id: author.id }, action: 'hideAll' } as const;
    const whole = pendingReason === 'sign_up' ? [] : [{ ...all, task }];
    return [choice('approve'), choice('reject'), ...whole];
  }
  const canBeHidden = subject.kind !== 'user' && state !== 'erased' && state !== 'hidden';
  return [
    ...(canBeHidden ? [choice('hide')] : []),
    choice('dismiss'),
    choice('silence'),
    choice('suspend'),
    choice('hideAll'),
  ];
}
