import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../../shared/limits.ts';
import type { Decision, NewUndo } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { unrefuse } from '../../accounts/standing/admission.ts';
import { approveAuthors } from '../../accounts/standing/approval.ts';
import { decisionsInForce } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { answerReports } from '../reports/close-case.ts';
import { type DecidingAccount, lockDeciding } from './deciding-accounts.ts';
import { alreadyDecided, appendDecision, requireDecision } from './decision-log.ts';
import { setHiddenBy } from './hide-account.ts';
import { findContent, lockContent, setHidden } from './locked-content.ts';

/**
 * Undoes a decision, once: content that no other decision hides is shown again, and accounts that it refused wait for
 * approval again. Grants the appeals against it, and answers the reports that it had closed.
 * @param draft with `appeal`, the decision is undone only while that appeal is open
 * @returns the id of the decision that undoes it
 * @throws ApiError `decision_not_found`, `appeal_not_found`; `already_decided` when it is undone or cannot be, or the
 * appeal is answered; errors of `lockDeciding`
 */
export async function undo(actor: Moderator, decisionId: string, draft: NewUndo): Promise<string> {
  const fields = new FieldParser();
  const reason = fields.text('reason', draft.reason, limits.reasonChars);
  fields.done();
  const undone = await requireDecision(actor.db, decisionId);
  if (undone.isFinal) throw await alreadyDecided(actor.db, decisionId, whyFinal(undone));
  const { action, category } = undone;
  const accountIds = await accountsOf(actor.db, decisionId);
  return actor.withTransaction(`account ${actor.actorName}`, async (trx, announce) => {
    const nowMs = actor.now();
    const accounts = await lockDeciding(trx, actor, accountIds, { action, isUndo: true });
    const id = uuidv7();
    if (draft.appeal !== undefined) await requireOpenAppeal(trx, draft.appeal, decisionId);
    const { undoneAt, subject } = await requireDecision(trx, decisionId);
    if (undoneAt !== null) throw await alreadyDecided(trx, decisionId);
    if (action === 'hide') await showContent(trx, announce, undone, accounts);
    if (action === 'hideAll') await showAccounts(trx, announce, decisionId, accountIds);
    if (action === 'hide' || action === 'hideAll')
      await approveAuthors(trx, announce, accountIds, nowMs);
    if (action === 'hideAll' || action === 'reject')
      await unrefuse(trx, decisionId, accountIds, nowMs);
    await trx
      .updateTable('appeals')
      .set({ answer: id })
      .where('decision_id', '=', decisionId)
      .where('answer', 'is', null)
      .execute();
    await answerReports(trx, decisionId, id);
    await appendDecision(
      trx,
      {
        id,
        at_ms: nowMs,
        action: 'undo',
        category,
        reason,
        undoes: decisionId,
        subject_kind: subject.kind,
        subject_id: subject.kind === 'users' ? '' : subject.id,
        decided_by: actor.actorName,
        until_ms: null,
      },
      accountIds.map((account_id) => ({ account_id, case_id: null })),
    );
    return id;
  });
}

function whyFinal({ action, subject, undoes }: Decision): string {
  if (undoes !== null || action !== 'approve')
    return 'Eso no se deshace. Si hace falta, toma otra decisión.';
  return subject.kind === 'user'
    ? 'La cuenta ya está aprobada: suspéndela, si hace falta.'
    : 'Ya se publicó: ocúltalo, si hace falta.';
}

async function accountsOf(db: Database, decisionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('decision_accounts')
    .select('account_id')
    .where('decision_id', '=', decisionId)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

async function requireOpenAppeal(trx: Database, id: string, decisionId: string): Promise<void> {
  const appeal = await trx
    .selectFrom('appeals')
    .select('answer')
    .where('id', '=', id)
    .where('decision_id', '=', decisionId)
    .executeTakeFirst();
  if (!appeal) throw new ApiError('appeal_not_found');
  if (appeal.answer !== null) throw await alreadyDecided(trx, appeal.answer);
}

/** Shows content unless another decision in force hides it. */
async function showContent(
  trx: Database,
  announce: Announce,
  { id, subject }: Decision,
  accounts: DecidingAccount[],
): Promise<void> {
  if (subject.kind !== 'comment' && subject.kind !== 'channel') return;
  const key = findContent(subject);
  const content = key && (await lockContent(trx, key));
  if (!content) return;
  const other = await decisionsInForce(trx)
    .select('decisions.id')
    .where(
      'account_id',
      'in',
      accounts.map((account) => account.id),
    )
    .where('action', '=', 'hide')
    .where('subject_kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('decisions.id', '<>', id)
    .limit(1)
    .executeTakeFirst();
  await setHidden(trx, announce, content, other?.id ?? null);
}

/** Shows accounts that no other decision in force hides. */
async function showAccounts(
  trx: Database,
  announce: Announce,
  decisionId: string,
  accountIds: string[],
): Promise<void> {
  const others = await decisionsInForce(trx)
    .select(['account_id', 'decisions.id'])
    .where('account_id', 'in', accountIds)
    .where('action', '=', 'hideAll')
    .where('decisions.id', '<>', decisionId)
    .execute();
  const hiddenBy = new Map(others.map(({ account_id, id }) => [account_id, id]));
  for (const [account_id, hidden_by] of hiddenBy)
    await trx.updateTable('accounts').set({ hidden_by }).where('id', '=', account_id).execute();
  const shown = accountIds.filter((id) => !hiddenBy.has(id));
  await setHiddenBy(trx, announce, shown, null);
}
