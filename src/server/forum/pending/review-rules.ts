import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../../shared/limits.ts';
import type { Role } from '../../../shared/moderation.ts';
import type { PendingPost, PendingReason } from '../../../shared/pending.ts';
import type { Approvable } from '../../accounts/standing/approval.ts';
import type { SentKey } from '../../database/content-tables.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { dayMs, trashMs } from '../../system/times.ts';
import { wholeText } from '../../texts/whole-text.ts';
import { findContactDetails } from './find-contact-details.ts';
import { findPendingPost, keepPendingImages, type Post, textOf } from './pending-rows.ts';

/**
 * Why a post must wait for a moderator. Undefined when it can be published: the settings require no review, the author
 * is staff, or the author was approved and no signal is found. Call it after `requireWriter`, whose lock prevents
 * simultaneous posts by the author from escaping the counts.
 */
export async function findPendingReason(
  trx: Database,
  author: Approvable & { id: string; role: Role; created_at_ms: number },
  post: Post,
  nowMs: number,
): Promise<PendingReason | undefined> {
  if (!(await isReviewed(trx, author))) return undefined;
  if (author.approved_at_ms === null) return 'first_post';
  return isYoung(author, nowMs) ? findSignal(trx, author.id, post, nowMs - dayMs) : undefined;
}

/** Whether first posts of this account, and its posts with signals, are reviewed. */
export const isReviewed = async (trx: Database, { role }: { role: Role }) =>
  role === 'member' && (await settingsInForce(trx)).reviewsFirstPosts;

export const isYoung = ({ created_at_ms }: { created_at_ms: number }, nowMs: number) =>
  created_at_ms > nowMs - limits.youngDays * dayMs;

async function findSignal(
  trx: Database,
  accountId: string,
  post: Post,
  sinceMs: number,
): Promise<PendingReason | undefined> {
  const written = (table: 'comments' | 'channels') =>
    trx
      .selectFrom(table as 'comments')
      .where('account_id', '=', accountId)
      .where('created_at_ms', '>', sinceMs)
      .limit(limits.youngComments);
  const comments = await written('comments').select(wholeText('comments').as('text')).execute();
  const channels = await written('channels')
    .select(sql<string>`name || ' ' || description`.as('text'))
    .execute();
  const links = findContactDetails(textOf(post)).length;
  const before = [...comments, ...channels].flatMap(({ text }) => findContactDetails(text)).length;
  if (links > 0 && links + before > limits.youngLinks) return 'links';
  if (post.kind === 'channel') {
    return channels.length < limits.youngChannels ? undefined : 'channels';
  }
  return comments.length < limits.youngComments ? undefined : 'comments';
}

/**
 * Stores a post for review, in the transaction that made all the checks required to publish it.
 * @throws ApiError `too_many_pending`
 */
export async function storePendingPost(
  trx: Database,
  accountId: string,
  { kind, content }: Post,
  reason: PendingReason,
  sent: SentKey,
  nowMs: number,
): Promise<PendingPost> {
  const pending = await trx
    .selectFrom('pending_posts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('rejected_by', 'is', null)
    .limit(limits.pendingPerAccount)
    .execute();
  if (pending.length >= limits.pendingPerAccount) throw new ApiError('too_many_pending');
  const id = uuidv7();
  await trx
    .insertInto('pending_posts')
    .values({
      id,
      account_id: accountId,
      kind,
      reason,
      rejected_by: null,
      ...sent,
      created_at_ms: nowMs,
      expires_at_ms: nowMs + trashMs,
      channel_id: kind === 'comment' ? content.channelId : null,
      content: JSON.stringify(content),
    })
    .execute();
  await keepPendingImages(trx, id, { kind, content } as Post);
  return (await findPendingPost(trx, accountId, nowMs, id)) as PendingPost;
}
