import type { Actor } from '../actor.ts';
import type { Draft } from './decision-draft.ts';
import { dismiss, upholdDecision } from './dismiss.ts';
import { hide } from './hide.ts';
import { hideAll } from './hide-all.ts';
import { restrict } from './restrict.ts';
import { review } from './review.ts';

/** Makes the decision of a draft, whose action must fit its subject. @returns its id @throws ApiError */
export function decide(moderator: Actor, draft: Draft): Promise<string> {
  const { subject, action } = draft;
  if (subject.kind === 'appeal') return upholdDecision(moderator, { ...draft, subject });
  if (subject.kind === 'users') return hideAll(moderator, { ...draft, subject });
  const on = { ...draft, subject };
  if (action === 'hide') return hide(moderator, on);
  if (action === 'hideAll') return hideAll(moderator, on);
  if (action === 'dismiss') return dismiss(moderator, on);
  if (action === 'approve' || action === 'reject') return review(moderator, on);
  return restrict(moderator, on);
}
