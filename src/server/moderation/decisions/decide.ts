import type { Moderator } from '../../accounts/actor.ts';
import { review } from '../review/review.ts';
import type { Draft } from './decision-draft.ts';
import { dismiss, upholdDecision } from './dismiss.ts';
import { hide } from './hide.ts';
import { hideAccount } from './hide-account.ts';
import { restrict } from './restrict.ts';

/** Makes the decision of a draft, whose action must fit its subject. @returns its id @throws ApiError */
export function decide(actor: Moderator, draft: Draft): Promise<string> {
  const { subject, action } = draft;
  if (subject.kind === 'appeal') return upholdDecision(actor, { ...draft, subject });
  if (subject.kind === 'users') return hideAccount(actor, { ...draft, subject });
  const on = { ...draft, subject };
  if (action === 'hide') return hide(actor, on);
  if (action === 'hideAll') return hideAccount(actor, on);
  if (action === 'dismiss') return dismiss(actor, on);
  if (action === 'approve' || action === 'reject') return review(actor, on);
  return restrict(actor, on);
}
