import { type Action, grantOf, type QueueItem } from '../../shared/moderation.ts';
import { actionTexts, queueTexts, staffTexts } from './moderation-texts.ts';
import { isDecided } from './use-queue.ts';

/** A decision on offer for an item, or to undo its decision, with its key. */
export interface Choice {
  key: string;
  action: Action | 'undo';
  label: string;
}

const labels = { ...actionTexts, undo: staffTexts.undo };
const choice = (key: string, action: Choice['action'], label: string = labels[action]): Choice => ({
  key,
  action,
  label,
});

/** The decisions that an item of the queue asks for, or to undo its decision. */
export function choicesOf(item: QueueItem): Choice[] {
  const { subject, state, appeal, held, decision } = item;
  if (isDecided(item)) return decision?.isFinal ? [] : [choice('z', 'undo')];
  if (held) {
    const whole = held === 'sign_up' ? [] : [choice('a', 'hideAll')];
    return [choice('p', 'approve'), choice('x', 'reject'), ...whole];
  }
  if (appeal) {
    return [
      choice('m', 'dismiss', queueTexts.uphold),
      choice('d', grantOf(appeal.decision.action), queueTexts.grant),
    ];
  }
  const isContent = subject.kind !== 'user' && state !== 'erased';
  const onContent = state === 'hidden' ? choice('r', 'restore') : choice('h', 'hide');
  return [
    ...(isContent ? [onContent] : []),
    choice('t', 'dismiss'),
    choice('s', 'silence'),
    choice('u', 'suspend'),
    choice('a', 'hideAll'),
  ];
}
