import { commentId } from '../../shared/comment-id.ts';
import { refuse, unrefuse } from '../accounts/admission.ts';
import { decisionsInForce } from '../accounts/restrictions.ts';
import type { Database } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { holdAgain, rejectHeldOf } from '../held/held-rows.ts';
import { closeAppeals } from './cases.ts';
import { type LockedContent, setHidden } from './content.ts';

/** The decisions in force on some accounts, one row for each account. */
export const inForce = (db: Database, accountIds: string[]) =>
  decisionsInForce(db)
    .select(['decision_id', 'account_id', 'action'])
    .where('account_id', 'in', accountIds);

/**
 * Hides or shows content as the decisions in force say: the newest on itself, otherwise the wave that hides its author,
 * unless a moderator restored the content since.
 */
export async function followDecisions(
  trx: Database,
  announce: Announce,
  content: LockedContent,
  author: { id: string; hidden_by: string | null },
  nowMs: number,
): Promise<void> {
  const { kind, row } = content;
  const onContent = await inForce(trx, [author.id])
    .where('subject_id', '=', kind === 'comment' ? commentId(row.channel_id, row.number) : row.id)
    .where('action', 'in', ['hide', 'restore'])
    .orderBy('decision_id', 'desc')
    .execute();
  const hide = onContent.find(({ action }) => action === 'hide');
  const wave = author.hidden_by;
  const isRestored = wave !== null && onContent.some(({ decision_id }) => decision_id > wave);
  const by = hide?.decision_id ?? (isRestored ? null : wave);
  if (by !== row.hidden_by) await setHidden(trx, announce, content, by, nowMs);
}

/** Ends decisions for accounts by a later one, and closes the appeals against them. @returns what was in force */
export async function end(
  trx: Database,
  meant: ReturnType<typeof inForce>,
  by: string,
  nowMs: number,
) {
  const ended = await meant.execute();
  for (const { decision_id, account_id } of ended) {
    await trx
      .updateTable('decision_accounts')
      .set({ ended_by: by })
      .where('decision_id', '=', decision_id)
      .where('account_id', '=', account_id)
      .execute();
    await closeAppeals(trx, { appealOf: decision_id, accountId: account_id }, by, nowMs);
  }
  return ended;
}

/** Puts the decisions in force again that a decision had ended. */
export async function reinstate(
  trx: Database,
  decisionId: string,
  accountIds: string[],
): Promise<void> {
  await trx
    .updateTable('decision_accounts')
    .set({ ended_by: null })
    .where('account_id', 'in', accountIds)
    .where('ended_by', '=', decisionId)
    .execute();
}

/** Begins a wave for accounts, and refuses them and what they have waiting. `continueWaves` hides their content. */
export async function hideAccounts(
  trx: Database,
  decisionId: string,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ hidden_by: decisionId })
    .where('id', 'in', accountIds)
    .execute();
  await rejectHeldOf(trx, accountIds, decisionId, nowMs);
  await refuse(trx, decisionId, accountIds, nowMs);
}

/** Ends a wave for accounts. `continueWaves` shows their content. */
export async function showAccounts(
  trx: Database,
  decisionId: string,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ hidden_by: null })
    .where('id', 'in', accountIds)
    .where('hidden_by', '=', decisionId)
    .execute();
  await awaitReview(trx, decisionId, accountIds, nowMs);
  await trx
    .updateTable('decision_accounts')
    .set({ work: 'show' })
    .where('decision_id', '=', decisionId)
    .where('account_id', 'in', accountIds)
    .execute();
}

/** Lets accounts, and what they had waiting, wait again that a decision refused. */
export async function awaitReview(
  trx: Database,
  decisionId: string,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  await holdAgain(trx, decisionId, accountIds);
  await unrefuse(trx, decisionId, accountIds, nowMs);
}
