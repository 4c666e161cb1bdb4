import type { CommentKey } from '../../../shared/comment-id.ts';
import type { MyThanks } from '../../../shared/comments.ts';
import type { Thankful } from '../../../shared/people.ts';
import { requireApproved } from '../../accounts/standing/approval.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { writeNotifications } from '../../notifications/write-notifications.ts';
import { formatIdCursor, isPastId, parseIdCursor } from '../cursors.ts';
import { thanksCount } from './comment-details.ts';
import type { CommentServices } from './post-comment.ts';
import { isCommentVisible, lockVisibleChannel } from './stored-comments.ts';

const maxThanked = 1000;

/**
 * Gives thanks for a comment, or withdraws them. Repeating it changes nothing.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `not_signed_in`, `silenced`, `suspended`, `not_approved`;
 * `not_yours` for the caller's own comment
 */
export async function setThanks(
  services: CommentServices,
  callerId: string,
  { channelId, number }: CommentKey,
  mine: boolean,
): Promise<MyThanks> {
  return services.withTransaction(`channel ${channelId}`, async (trx, announce) => {
    if (mine) {
      await requireWriter(trx, callerId, services.now());
      await requireApproved(trx, callerId);
    }
    await lockVisibleChannel(trx, channelId);
    const comment = await trx
      .selectFrom('visible_comments')
      .select('account_id')
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .executeTakeFirst();
    if (!comment) throw new ApiError('comment_not_found');
    if (comment.account_id === callerId) {
      const detail = 'Este comentario es tuyo: solo otras personas pueden dar las gracias.';
      throw new ApiError('not_yours', { detail });
    }
    const key = { channel_id: channelId, number, account_id: callerId };
    const nowMs = services.now();
    const isChanged = mine ? await insertThanks(trx, key, nowMs) : await deleteThanks(trx, key);
    const event = { channelId, number, actorId: callerId };
    const kinds = new Map([[comment.account_id, 'thanks'] as const]);
    if (isChanged && mine) await writeNotifications(trx, event, kinds, nowMs);
    if (isChanged) await announce({ kind: 'counts', channelId });
    const { count } = await trx
      .selectFrom('visible_comments')
      .select(thanksCount('visible_comments').as('count'))
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
    return { count, mine };
  });
}

/** Numbers of the comments in a range of the channel that the caller gave thanks for, ascending. */
export async function listThanked(
  db: Database,
  callerId: string,
  channelId: string,
  { from, to }: { from: number; to: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('comment_thanks')
    .select('number')
    .where('account_id', '=', callerId)
    .where('channel_id', '=', channelId)
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number')
    .limit(maxThanked)
    .execute();
  return rows.map(({ number }) => number);
}

/**
 * One page of the listed people who gave thanks for a comment, newest first.
 * @param after `next` of the previous page
 * @returns undefined when there is no such visible comment
 * @throws InvalidCursor
 */
export async function listThanks(
  db: Database,
  { channelId, number }: CommentKey,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ data: Thankful[]; next: string | null } | undefined> {
  const cursor = after === undefined ? undefined : parseIdCursor(after);
  if (!(await isCommentVisible(db, { channelId, number }))) return undefined;
  const rows = await db
    .selectFrom('comment_thanks')
    .innerJoin('accounts', 'accounts.id', 'comment_thanks.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.img', 'comment_thanks.created_at_ms'])
    .where('comment_thanks.channel_id', '=', channelId)
    .where('comment_thanks.number', '=', number)
    .where(isListed)
    .where(isPastId('comment_thanks.created_at_ms', 'comment_thanks.account_id', cursor))
    .orderBy('comment_thanks.created_at_ms', 'desc')
    .orderBy('comment_thanks.account_id', 'desc')
    // One more row than the page has, to know whether another page follows.
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page.map(({ id, name, img }) => ({ id, name, img: img ?? '' })),
    next:
      rows.length > limit && last
        ? formatIdCursor({ atMs: last.created_at_ms, id: last.id })
        : null,
  };
}

interface ThanksKey {
  channel_id: string;
  number: number;
  account_id: string;
}

/** @returns false when the person had already given thanks */
async function insertThanks(trx: Database, key: ThanksKey, nowMs: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('comment_thanks')
    .values({ ...key, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

/** @returns false when the person had not given thanks */
async function deleteThanks(trx: Database, key: ThanksKey): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('comment_thanks')
    .where('channel_id', '=', key.channel_id)
    .where('number', '=', key.number)
    .where('account_id', '=', key.account_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
