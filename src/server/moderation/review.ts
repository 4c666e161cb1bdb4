import type { Subject } from '../../shared/moderation.ts';
import { admit, refuse } from '../accounts/admission.ts';
import { findRestriction } from '../accounts/restrictions.ts';
import { unshowRejected } from '../accounts/shown-accounts.ts';
import { publishChannel } from '../channels/channel-queries.ts';
import { nextNumber, publishComment } from '../comments/post-comment.ts';
import type { Database } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { deleteHeld, type HeldRow, lockHeld, postOf } from '../held/held-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { binMs } from '../times.ts';
import type { Step } from './cases.ts';
import { uuid } from './content.ts';
import { alreadyDecided } from './decision-queries.ts';
import { requireUnchanged } from './draft.ts';

/**
 * Finds who wrote what is held, by its id there, or asked to be let in.
 * @throws ApiError `held_not_found`, `user_not_found`; `already_decided` with the decision
 */
export async function findWaiting(db: Database, { kind, id }: Subject) {
  const isUser = kind === 'user';
  if (!uuid.test(id)) throw new ApiError(isUser ? 'user_not_found' : 'held_not_found');
  if (isUser) return { row: `account ${id}`, accountIds: [id] };
  const held = await db
    .selectFrom('held')
    .select(['account_id', 'channel_id'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (!held) throw await reviewedBefore(db, id);
  const row = held.channel_id ? `channel ${held.channel_id}` : `account ${held.account_id}`;
  return { row, accountIds: [held.account_id] };
}

/**
 * Publishes what is held, or lets an account in; or refuses it. What is published takes the path of something new: it
 * gets its number and its time now. When it cannot be published, it goes on waiting.
 * @returns what was decided on: the comment or channel, if it was published
 * @throws ApiError `already_decided` with the earlier decision, also when it changed, and when its author cannot write;
 * `held_not_found`; `channel_closed`, `channel_not_found`
 */
export async function review(step: Step): Promise<{ subject_id: string; replaces: string }> {
  const { announce, draft, subjectId, accountIds } = step;
  const [accountId = ''] = accountIds;
  const subject_id =
    draft.subject.kind === 'user'
      ? await reviewAccount(step, accountId)
      : await reviewPost(step, accountId);
  // Lists of people may name the author from now on, or no longer.
  await announce({ kind: 'profile', accountId });
  return { subject_id, replaces: subjectId };
}

async function reviewAccount({ trx, id, draft, nowMs }: Step, accountId: string) {
  const isDone =
    draft.action === 'approve'
      ? await admit(trx, accountId)
      : await refuse(trx, id, [accountId], nowMs);
  if (isDone) return accountId;
  const account = await trx
    .selectFrom('accounts')
    .select('refused_by')
    .where('id', '=', accountId)
    .executeTakeFirst();
  throw account?.refused_by
    ? await alreadyDecided(trx, account.refused_by)
    : await reviewedBefore(trx, accountId, 'already_decided');
}

async function reviewPost(
  { trx, announce, id, draft, subjectId, nowMs }: Step,
  accountId: string,
): Promise<string> {
  const row = await lockHeld(trx, accountId, subjectId);
  if (!row) throw await reviewedBefore(trx, subjectId);
  if (row.rejected_by !== null) throw await alreadyDecided(trx, row.rejected_by);
  requireUnchanged(draft, 1);
  if (draft.action === 'approve') return publish(trx, announce, row, nowMs);
  const rejected = { rejected_by: id, expires_at_ms: nowMs + binMs };
  await trx.updateTable('held').set(rejected).where('id', '=', row.id).execute();
  await unshowRejected(trx, accountId);
  return row.id;
}

/** @returns the id of the comment or channel */
async function publish(trx: Database, announce: Announce, row: HeldRow, nowMs: number) {
  const author = await trx
    .selectFrom('accounts')
    .select(['id', 'name', 'img', 'role'])
    .where('id', '=', row.account_id)
    .where('disabled_at_ms', 'is', null)
    .executeTakeFirst();
  // An erased account is disabled too.
  if (!author || (await findRestriction(trx, author.id, nowMs))) {
    const detail = 'Quien lo escribió no puede escribir ahora, así que no se puede publicar.';
    throw new ApiError('already_decided', { detail });
  }
  await deleteHeld(trx, [row.id]);
  const { kind, content } = postOf(row);
  let result_id: string;
  if (kind === 'channel') {
    result_id = (await publishChannel(trx, announce, author, content, nowMs))._id;
  } else {
    const number = await nextNumber(trx, content.channelId, nowMs);
    const reply = content.reply && { ...content.reply, wasFound: true };
    const numbered = { ...content, reply, number };
    result_id = (await publishComment(trx, announce, author, numbered, nowMs)).id;
  }
  // The request that was held, sent again, gets what was published.
  await trx
    .updateTable('idempotency_keys')
    .set({ result_id })
    .where('account_id', '=', author.id)
    .where('result_id', '=', row.id)
    .execute();
  return result_id;
}

/** The error for what does not wait any more: `already_decided` with the decision, if there was one. */
async function reviewedBefore(
  db: Database,
  id: string,
  otherwise: 'already_decided' | 'held_not_found' = 'held_not_found',
): Promise<ApiError> {
  const decision = await db
    .selectFrom('decisions')
    .select('id')
    // Decisions on it are later than itself.
    .where('id', '>', id)
    .where('replaces', '=', id)
    .where('undone_at_ms', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return decision ? alreadyDecided(db, decision.id) : new ApiError(otherwise);
}
