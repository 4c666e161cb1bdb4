import { v7 as uuidv7 } from 'uuid';
import type { Subject } from '../../shared/moderation.ts';
import { admit, refuse } from '../accounts/admission.ts';
import { findRestriction } from '../accounts/restrictions.ts';
import { publishChannel } from '../channels/channel-queries.ts';
import { nextNumber, publishComment } from '../comments/post-comment.ts';
import type { Database } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { deleteHeld, type HeldRow, lockHeld, postOf } from '../held/held-rows.ts';
import { ApiError } from '../http/api-error.ts';
import { binMs } from '../times.ts';
import { audited, type Moderator } from './audited.ts';
import type { Draft } from './decide.ts';
import { lockDeciding } from './deciding-accounts.ts';
import { alreadyDecided, storeDecision } from './decision-queries.ts';

/** A decision to approve or reject what is held, by its id there, or an account that asked to be let in. */
export type Review = Draft & { subject: Subject; action: 'approve' | 'reject' };

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Publishes what is held, or lets an account in; or refuses it. What is published takes the path of something new: it
 * gets its number and its time now. When it cannot be published, it goes on waiting.
 * @returns the id of the decision
 * @throws ApiError `already_decided` with the earlier decision, also when it changed, and when its author cannot write;
 * `held_not_found`, `user_not_found`, `staff_only`, `not_found`; `channel_closed`, `channel_not_found`
 */
export async function review(moderator: Moderator, draft: Review): Promise<string> {
  const { subject, action, category, reason, version } = draft;
  const { db, callerId = null, now } = moderator;
  const id = uuidv7();
  const isUser = subject.kind === 'user';
  if (!uuid.test(subject.id)) throw new ApiError(isUser ? 'user_not_found' : 'held_not_found');
  const held = isUser ? undefined : await findPost(db, subject);
  if (!isUser && !held) throw await reviewedBefore(db, subject.id);
  const accountId = held?.account_id ?? subject.id;
  const row = held?.channel_id ? `channel ${held.channel_id}` : `account ${accountId}`;
  const entry = { row, action: `${action}-${subject.kind}`, subject: subject.id };
  await audited(moderator, entry, async (trx, announce) => {
    const nowMs = now();
    await lockDeciding(trx, moderator, [accountId], action);
    const work = isUser ? reviewAccount : reviewPost;
    const decision = {
      ...{ id, at_ms: nowMs, action, category, reason, until_ms: null },
      ...{ subject_kind: subject.kind, subject_id: await work(trx, nowMs, announce) },
      ...{ decided_by: callerId, replaces: subject.id },
    };
    await storeDecision(trx, decision, [accountId]);
    // Lists of people may name the author from now on.
    if (action === 'approve') await announce({ kind: 'profile', accountId });
  });
  return id;

  async function reviewAccount(trx: Database, nowMs: number) {
    const isDone =
      action === 'approve'
        ? await admit(trx, accountId)
        : await refuse(trx, id, [accountId], nowMs);
    if (!isDone) throw await accountReviewedBefore(trx, accountId);
    return accountId;
  }

  async function reviewPost(trx: Database, nowMs: number, announce: Announce) {
    const row = await lockHeld(trx, accountId, subject.id);
    if (!row) throw await reviewedBefore(trx, subject.id);
    if (row.rejected_by !== null) throw await alreadyDecided(trx, row.rejected_by);
    if (version !== undefined && version !== `${row.id}.${row.revision}`) {
      const detail = 'Cambió mientras lo mirabas. Recarga la página y míralo otra vez.';
      throw new ApiError('already_decided', { detail });
    }
    if (action === 'approve') return publish(trx, announce, row, nowMs);
    const rejected = { rejected_by: id, expires_at_ms: nowMs + binMs };
    await trx.updateTable('held').set(rejected).where('id', '=', row.id).execute();
    return row.id;
  }
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

function findPost(db: Database, { kind, id }: Subject) {
  return db
    .selectFrom('held')
    .select(['account_id', 'channel_id'])
    .where('id', '=', id)
    .where('kind', '=', kind as HeldRow['kind'])
    .executeTakeFirst();
}

/** As `reviewedBefore`; a wave refuses accounts too. */
async function accountReviewedBefore(trx: Database, id: string): Promise<ApiError> {
  const account = await trx
    .selectFrom('accounts')
    .select('hidden_by')
    .where('id', '=', id)
    .executeTakeFirst();
  return account?.hidden_by
    ? alreadyDecided(trx, account.hidden_by)
    : reviewedBefore(trx, id, 'already_decided');
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
