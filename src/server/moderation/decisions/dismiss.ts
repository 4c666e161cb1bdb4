import type { AppealSubject, Subject } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { activeStaff } from '../../accounts/standing/staff.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { closeCase } from '../reports/close-case.ts';
import type { DecidingAccount } from './deciding-accounts.ts';
import type { Draft } from './decision-draft.ts';
import { alreadyDecided } from './decision-log.ts';
import { makeDecision, requireAuthorOf } from './make-decision.ts';
import { appealRefusalOf } from './may-decide.ts';

/** Dismisses reports. @throws ApiError `already_decided` when no report is open; errors of `makeDecision` */
export async function dismiss(actor: Moderator, draft: Draft<Subject>): Promise<string> {
  const author = await requireAuthorOf(actor.db, draft);
  return makeDecision(actor, draft, [author], async (trx, _announce, decision) => {
    const { caseId } = await closeCase(trx, draft, decision);
    if (caseId === undefined) throw await lastOn(trx, draft.subject);
    return { caseId };
  });
}

/** The error for reports that were already decided, with the last decision on them. */
async function lastOn(trx: Database, { kind, id }: Subject): Promise<ApiError> {
  const decided = await trx
    .selectFrom('cases')
    .select('decision_id')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .where('decided_at_ms', 'is not', null)
    .orderBy('decided_at_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  return alreadyDecided(trx, decided?.decision_id);
}

/**
 * Upholds a decision that was appealed against. `undo` of that decision grants the appeal.
 * @throws ApiError `appeal_not_found`; `already_decided` when the appeal was answered; `staff_only` when someone else
 * must answer it
 */
export async function upholdDecision(
  actor: Moderator,
  draft: Draft<AppealSubject>,
): Promise<string> {
  const appeal = await actor.db
    .selectFrom('appeals')
    .innerJoin('decisions', 'decisions.id', 'appeals.decision_id')
    .select(['appeals.id', 'account_id', 'action', 'decided_by'])
    .where('appeals.id', '=', draft.subject.id)
    .executeTakeFirst();
  if (!appeal) throw new ApiError('appeal_not_found');
  return makeDecision(actor, draft, [appeal.account_id], async (trx, _announce, decision) => {
    const [author] = decision.accounts;
    const refusal = author && (await refusalOfAppeal(trx, actor, author, appeal));
    if (refusal) throw refusal;
    const answered = await trx
      .updateTable('appeals')
      .set({ answer: decision.id })
      .where('id', '=', appeal.id)
      .where('answer', 'is', null)
      .executeTakeFirst();
    if (answered.numUpdatedRows === 0n) {
      const earlier = trx.selectFrom('appeals').select('answer').where('id', '=', appeal.id);
      throw await alreadyDecided(trx, (await earlier.executeTakeFirst())?.answer);
    }
    return { caseId: appeal.id };
  });
}

async function refusalOfAppeal(
  trx: Database,
  { callerId, now }: Moderator,
  author: DecidingAccount,
  appealed: Parameters<typeof appealRefusalOf>[2],
): Promise<ApiError | undefined> {
  const active = await activeStaff(trx, now());
  // `active` lacks a caller whose account is about to be erased.
  const role = active.find(({ id }) => id === callerId)?.role ?? 'moderator';
  return appealRefusalOf({ id: callerId, role }, author, appealed, active);
}
