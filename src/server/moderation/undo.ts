import type { Action } from '../../shared/moderation.ts';
import { unrefuse } from '../accounts/admission.ts';
import type { Database } from '../database/tables.ts';
import { holdAgain, rejectHeldOf } from '../held/held-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { audited, type Moderator } from './audited.ts';
import { closeAppeals, reopenCases, requireAppealDecider } from './cases.ts';
import { findContent, isHidden, lockContent, setHidden } from './content.ts';
import { showAccounts } from './decide.ts';
import { lockDeciding } from './deciding-accounts.ts';
import { alreadyDecided } from './decision-queries.ts';

/**
 * Undoes a decision: changes back what is still as it left it, and opens its cases again. `continueWaves` shows the
 * content of a wave.
 * @throws ApiError `decision_not_found`; `already_decided` when it is undone; `staff_only`, `not_found`
 */
export async function undoDecision(moderator: Moderator, decisionId: string): Promise<void> {
  const found = await moderator.db
    .selectFrom('decisions')
    .selectAll()
    .where('id', '=', decisionId)
    .executeTakeFirst();
  if (!found) throw new ApiError('decision_not_found');
  const { action, subject_kind, subject_id, replaces } = found;
  if (action === 'approve') {
    const isUser = subject_kind === 'user';
    const detail = isUser
      ? 'Ya tiene paso: suspende su cuenta, si hace falta.'
      : 'Ya se publicó: ocúltalo, si hace falta.';
    throw await alreadyDecided(moderator.db, decisionId, detail);
  }
  const key =
    subject_kind === 'arrivals' || action === 'reject'
      ? undefined
      : findContent({ kind: subject_kind, id: subject_id });
  const accountIds = await accountsOf(moderator.db, decisionId);
  const entry = {
    action: `undo-${action === 'hideAll' ? 'hide-all' : action}`,
    subject: decisionId,
  };
  const row = key ? `channel ${key.channelId}` : `decision ${subject_id}`;
  await audited(moderator, { row, ...entry }, async (trx, announce) => {
    const nowMs = moderator.now();
    const [account] = await lockDeciding(trx, moderator, accountIds, reverseOf(action));
    const undone = await trx
      .updateTable('decisions')
      .set({ undone_at_ms: nowMs, undone_by: moderator.callerId ?? null })
      .where('id', '=', decisionId)
      .where('undone_at_ms', 'is', null)
      .executeTakeFirst();
    if (undone.numUpdatedRows === 0n) throw await alreadyDecided(trx, decisionId);
    if (account && found.decided_by !== moderator.callerId)
      await requireAppealDecider(trx, moderator, { id: decisionId, author: account }, nowMs);
    await closeAppeals(trx, { appealOf: decisionId }, decisionId, nowMs);
    const content = key && (await lockContent(trx, key));
    if (action === 'hide') {
      if (content?.row.hidden_by === decisionId)
        await setHidden(trx, announce, content, account?.hidden_by ?? null, nowMs);
    } else if (action === 'hideAll') {
      await showAccounts(trx, decisionId, accountIds, nowMs);
    } else if (action === 'reject') {
      await holdAgain(trx, decisionId, accountIds);
      await unrefuse(trx, decisionId, accountIds, nowMs);
    } else if (action === 'restore' || action === 'release') {
      const mayHide =
        !content || !isHidden(content) || content.row.hidden_by === account?.hidden_by;
      const isHiddenByWave = account?.hidden_by != null;
      await reinstate(trx, decisionId, { mayHide, isHiddenByWave }, nowMs);
      const by =
        replaces !== null && (await isInForce(trx, replaces, account?.id)) ? replaces : null;
      if (action === 'restore' && content && mayHide && by !== null)
        await setHidden(trx, announce, content, by, nowMs);
    }
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

/** Puts the decisions in force again that a decision had ended, where nothing else took their place. */
async function reinstate(
  trx: Database,
  decisionId: string,
  { mayHide, isHiddenByWave }: { mayHide: boolean; isHiddenByWave: boolean },
  nowMs: number,
): Promise<void> {
  const ended = await trx
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select(['decisions.id', 'action', 'account_id'])
    .where('account_id', 'in', ({ selectFrom }) =>
      selectFrom('decision_accounts as own')
        .select('own.account_id')
        .where('own.decision_id', '=', decisionId),
    )
    .where('ended_by', '=', decisionId)
    .where('undone_at_ms', 'is', null)
    .execute();
  for (const { id, action, account_id } of ended) {
    if ((action === 'hide' && !mayHide) || (action === 'hideAll' && isHiddenByWave)) continue;
    const work = action === 'hideAll' ? ('hide' as const) : null;
    await trx
      .updateTable('decision_accounts')
      .set({ ended_by: null, work })
      .where('decision_id', '=', id)
      .where('account_id', '=', account_id)
      .execute();
    if (action !== 'hideAll') continue;
    await trx.updateTable('accounts').set({ hidden_by: id }).where('id', '=', account_id).execute();
    await rejectHeldOf(trx, [account_id], id, nowMs);
  }
}

async function isInForce(
  trx: Database,
  decisionId: string,
  accountId: string | undefined,
): Promise<boolean> {
  const row = await trx
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .select('decisions.id')
    .where('decision_id', '=', decisionId)
    .where('account_id', '=', accountId ?? '')
    .where('ended_by', 'is', null)
    .where('undone_at_ms', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
