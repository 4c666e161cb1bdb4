import type { Action } from '../../shared/moderation.ts';
import type { Database } from '../database/tables.ts';
import { audited, type Moderator } from './audited.ts';
import { closeAppeals, reopenCases } from './cases.ts';
import { findContent, lockContent } from './content.ts';
import { auditedAction } from './decide.ts';
import { lockDeciding } from './deciding-accounts.ts';
import { alreadyDecided, requireDecision } from './decision-queries.ts';
import { awaitReview, followDecisions, reinstate, showAccounts } from './in-force.ts';

/**
 * Undoes a decision: changes back what is still as it left it, and opens its cases again. `continueWaves` shows the
 * content of a wave.
 * @throws ApiError `decision_not_found`; `already_decided` when it is undone or cannot be; `staff_only`, `not_found`
 */
export async function undoDecision(moderator: Moderator, decisionId: string): Promise<void> {
  const { action, subject, isFinal } = await requireDecision(moderator.db, decisionId);
  if (isFinal) {
    const detail =
      action !== 'approve'
        ? 'Es la respuesta a un recurso, que no se deshace. Si hace falta, toma otra decisión.'
        : subject.kind === 'user'
          ? 'Ya tiene paso: suspende su cuenta, si hace falta.'
          : 'Ya se publicó: ocúltalo, si hace falta.';
    throw await alreadyDecided(moderator.db, decisionId, detail);
  }
  const key = subject.kind === 'arrivals' || action === 'reject' ? undefined : findContent(subject);
  const accountIds = await accountsOf(moderator.db, decisionId);
  const row = key ? `channel ${key.channelId}` : `decision ${decisionId}`;
  const entry = { row, action: `undo-${auditedAction(action)}`, subject: decisionId };
  await audited(moderator, entry, async (trx, announce) => {
    const nowMs = moderator.now();
    const { callerId = null } = moderator;
    const [account] = await lockDeciding(trx, moderator, accountIds, reverseOf(action));
    const undone = await trx
      .updateTable('decisions')
      .set({ undone_at_ms: nowMs, undone_by: callerId })
      .where('id', '=', decisionId)
      .where('undone_at_ms', 'is', null)
      .executeTakeFirst();
    if (undone.numUpdatedRows === 0n) throw await alreadyDecided(trx, decisionId);
    await closeAppeals(trx, { appealOf: decisionId }, decisionId, nowMs);
    const content = key && (await lockContent(trx, key));
    if (action === 'hideAll') {
      await showAccounts(trx, decisionId, accountIds, nowMs);
    } else if (action === 'reject') {
      if (account?.hidden_by) {
        const detail = 'Se ocultó todo lo de esta cuenta: deshaz antes esa decisión.';
        throw await alreadyDecided(trx, account.hidden_by, detail);
      }
      await awaitReview(trx, decisionId, accountIds, nowMs);
    } else if (action === 'release' || action === 'restore') {
      await reinstate(trx, decisionId, accountIds);
    }
    if (content && account && (action === 'hide' || action === 'restore'))
      await followDecisions(trx, announce, content, account, nowMs);
    await reopenCases(trx, decisionId);
  });
}

async function accountsOf(db: Database, decisionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('decision_accounts')
    .select('account_id')
    .where('decision_id', '=', decisionId)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** The action that needs the same permission as undoing one. */
function reverseOf(action: Action): Action | undefined {
  if (action === 'release') return 'suspend';
  return action === 'silence' || action === 'suspend' || action === 'hideAll'
    ? 'release'
    : undefined;
}
