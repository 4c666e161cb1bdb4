import type { Subject } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { decisionsInForce } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { dayMs } from '../../system/times.ts';
import { closeCase } from '../reports/close-case.ts';
import type { Draft } from './decision-draft.ts';
import { alreadyDecided } from './decision-log.ts';
import { makeDecision, requireAuthorOf } from './make-decision.ts';

/** Silences or suspends a person, or the author of content. @throws ApiError errors of `makeDecision` */
export async function restrict(actor: Moderator, draft: Draft<Subject>): Promise<string> {
  const accountId = await requireAuthorOf(actor.db, draft);
  return makeDecision(actor, draft, [accountId], async (trx, _announce, decision) => {
    await refuseRepeated(trx, actor, draft, accountId, decision.nowMs);
    return closeCase(trx, draft, decision);
  });
}

/**
 * Refuses a repeated request, such as after a lost response: each decision would have to be undone separately. A
 * decision from the queue is checked by `closeCase` instead.
 * @throws ApiError `already_decided` with the first decision
 */
async function refuseRepeated(
  trx: Database,
  { actorName }: Moderator,
  { subject, action, reason, days, version }: Draft<Subject>,
  accountId: string,
  nowMs: number,
): Promise<void> {
  if (version !== undefined) return;
  const same = await decisionsInForce(trx)
    .select(['decisions.id', 'at_ms', 'until_ms', 'decided_by'])
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('subject_id', '=', subject.id)
    .where('reason', '=', reason)
    .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]))
    .execute();
  const lasts = days === null ? null : days * dayMs;
  const repeated = same.find(
    ({ at_ms, until_ms, decided_by }) =>
      decided_by === actorName && (until_ms === null ? null : until_ms - at_ms) === lasts,
  );
  if (repeated) throw await alreadyDecided(trx, repeated.id);
}
