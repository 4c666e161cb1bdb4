import type { Subject } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { admit, refuse } from '../../accounts/standing/admission.ts';
import { endApproval } from '../../accounts/standing/approval.ts';
import type { Database } from '../../database/tables.ts';
import { uuid } from '../../forum/cursors.ts';
import { lockPendingPost } from '../../forum/pending/pending-rows.ts';
import { publishPendingPost } from '../../forum/pending/publish-pending-post.ts';
import { ApiError } from '../../http/api-error.ts';
import { trashMs } from '../../system/times.ts';
import type { Draft } from '../decisions/decision-draft.ts';
import { alreadyDecided, findDecisionOf } from '../decisions/decision-log.ts';
import { makeDecision } from '../decisions/make-decision.ts';
import { changedError } from '../reports/close-case.ts';

/**
 * Publishes or rejects a pending post, or approves or refuses an account. A post is published like a new one: it gets
 * its number and time now. If it cannot be published, it stays pending.
 * @throws ApiError `already_decided` with the earlier decision, and when the author cannot write; `pending_not_found`,
 * `user_not_found`; `channel_closed`, `channel_not_found`; errors of `makeDecision`
 */
export async function review(actor: Moderator, draft: Draft<Subject>): Promise<string> {
  const { kind, id } = draft.subject;
  if (kind === 'user') return reviewAccount(actor, draft);
  if (!uuid.test(id)) throw new ApiError('pending_not_found');
  const pendingPost = await actor.db
    .selectFrom('pending_posts')
    .select('account_id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (!pendingPost) throw await reviewedBefore(actor.db, id, 'pending_not_found');
  const { account_id: accountId } = pendingPost;
  return makeDecision(actor, draft, [accountId], async (trx, announce, decision) => {
    const row = await lockPendingPost(trx, accountId, id);
    if (!row) throw await reviewedBefore(trx, id, 'pending_not_found');
    if (row.rejected_by !== null) throw await alreadyDecided(trx, row.rejected_by);
    if (draft.version !== undefined && draft.version !== row.id) throw changedError();
    const caseId = id;
    if (draft.action === 'approve') {
      return { caseId, subjectId: await publishPendingPost(trx, announce, row, decision.nowMs) };
    }
    const rejected = { rejected_by: decision.id, expires_at_ms: decision.nowMs + trashMs };
    await trx.updateTable('pending_posts').set(rejected).where('id', '=', row.id).execute();
    await endApproval(trx, announce, accountId);
    await announce({ kind: 'profile', accountId });
    return { caseId };
  });
}

async function reviewAccount(actor: Moderator, draft: Draft<Subject>): Promise<string> {
  const { id: accountId } = draft.subject;
  if (!uuid.test(accountId)) throw new ApiError('user_not_found');
  return makeDecision(actor, draft, [accountId], async (trx, announce, decision) => {
    if (draft.version !== undefined && draft.version !== accountId) throw changedError();
    const isDone =
      draft.action === 'approve'
        ? await admit(trx, accountId, decision.nowMs)
        : await refuse(trx, decision.id, [accountId], decision.nowMs);
    if (!isDone) {
      const account = await trx
        .selectFrom('accounts')
        .select('refused_by')
        .where('id', '=', accountId)
        .executeTakeFirst();
      throw account?.refused_by
        ? await alreadyDecided(trx, account.refused_by)
        : await reviewedBefore(trx, accountId, 'already_decided');
    }
    if (draft.action === 'approve') await announce({ kind: 'profile', accountId });
    return { caseId: await unlessDecided(trx, accountId) };
  });
}

/** The id of a waiting account is also that of its case, unless a decision on it was undone. */
async function unlessDecided(trx: Database, id: string): Promise<string | undefined> {
  return (await findDecisionOf(trx, [id])) === undefined ? id : undefined;
}

/** The error for an item that is no longer pending, with the decision on it, if any. */
async function reviewedBefore(
  db: Database,
  id: string,
  otherwise: 'already_decided' | 'pending_not_found',
): Promise<ApiError> {
  const decisionId = await findDecisionOf(db, [id]);
  return decisionId === undefined ? new ApiError(otherwise) : alreadyDecided(db, decisionId);
}
