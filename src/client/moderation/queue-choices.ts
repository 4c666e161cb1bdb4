import { type Action, grantOf, type QueueItem } from '../../shared/moderation.ts';
import { actionTexts, queueTexts } from './moderation-texts.ts';

/** A decision on offer for an item, with its key. */
export interface Choice {
  key: string;
  action: Action;
  label: string;
}

const choice = (key: string, action: Action, label: string = actionTexts[action]): Choice => ({
  key,
  action,
  label,
});

/** The decisions that an item of the queue asks for. */
export function choicesOf({ subject, state, appeal, held }: QueueItem): Choice[] {
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
