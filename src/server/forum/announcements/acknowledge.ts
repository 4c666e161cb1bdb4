import { type Selectable, sql } from 'kysely';
import type { Acknowledgements } from '../../../shared/announcements.ts';
import { type CommentKey, commentId } from '../../../shared/comment-id.ts';
import { isMember } from '../../accounts/standing/members.ts';
import { lockOpenAccount } from '../../accounts/standing/open-account.ts';
import { type Database, type Tables, toInstant } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import type { CommentServices } from '../comments/post-comment.ts';
import { isCommentVisible } from '../comments/stored-comments.ts';

/** Members on one page of the list of who has read an announcement. */
const perPage = 500;
const remindAfterMs = 24 * 3_600_000;

/**
 * Stores that somebody has read an announcement. Repeating it changes nothing.
 * @throws ApiError `comment_not_found` when there is no such visible announcement, `not_signed_in`
 */
export async function acknowledge(
  { withTransaction, now }: CommentServices,
  accountId: string,
  key: CommentKey,
): Promise<void> {
  await withTransaction(`account ${accountId}`, async (trx) => {
    if (!(await lockOpenAccount(trx, 'id', accountId))) throw new ApiError('not_signed_in');
    await requireAnnouncement(trx, key);
    await trx
      .insertInto('acknowledgements')
      .values({
        channel_id: key.channelId,
        number: key.number,
        account_id: accountId,
        acknowledged_at_ms: now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** The ids of the announcements that stand on top of home and that an account has acknowledged. */
export async function listAcknowledged(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<string[]> {
  const { rows } = await sql<{ channel_id: string; number: number }>`
    select channel_id, number from announcements where ends_at_ms > ${nowMs}
      and exists (select 1 from acknowledgements as read where read.account_id = ${accountId}
        and read.channel_id = announcements.channel_id and read.number = announcements.number)
    `.execute(db);
  return rows.map(({ channel_id, number }) => commentId(channel_id, number));
}

/**
 * One page of the present members without the author, the oldest accounts first, with who has acknowledged an
 * announcement that asked for it.
 * @param after `next` of the previous page
 * @throws ApiError `comment_not_found`
 */
export async function listAcknowledgements(
  db: Database,
  key: CommentKey,
  after: string | undefined,
  nowMs: number,
): Promise<Acknowledgements> {
  const announcement = await requireConfirmed(db, key);
  const isMeant = sql`${isMember(db, nowMs)}
    and accounts.id <> (select account_id from comments where channel_id = ${key.channelId}
      and number = ${key.number})`;
  const readAtMs = sql<number | null>`(select acknowledged_at_ms from acknowledgements as read
    where read.channel_id = ${key.channelId} and read.number = ${key.number}
      and read.account_id = accounts.id)`;
  const { rows } = await sql<{ id: string; name: string; at_ms: number | null }>`
    select id, name, ${readAtMs} as at_ms from accounts
    where ${isMeant} and id > ${after ?? ''} order by id limit ${perPage + 1}`.execute(db);
  const { rows: counts } = await sql<{ members: number; acknowledged: number }>`
    select count(*) as members, count(at_ms) as acknowledged from (
      select ${readAtMs} as at_ms from accounts where ${isMeant}) as meant`.execute(db);
  const page = rows.slice(0, perPage);
  return {
    data: page.map(({ id, name, at_ms }) => ({
      id,
      name,
      acknowledgedAt: at_ms === null ? null : toInstant(Number(at_ms)),
    })),
    next: rows.length > perPage ? (page.at(-1)?.id ?? null) : null,
    members: Number(counts[0]?.members ?? 0),
    acknowledged: Number(counts[0]?.acknowledged ?? 0),
    remindedAt:
      announcement.reminded_at_ms === null ? null : toInstant(announcement.reminded_at_ms),
    mayRemind: announcement.reminded_at_ms === null && isTimeToRemind(announcement, nowMs),
  };
}

/**
 * Tells those who have not acknowledged an announcement that asked for it once more, once, from a day after it until
 * its own day ends.
 * @throws ApiError `comment_not_found`, `too_early`, `already_reminded`
 */
export async function remindOfAnnouncement(
  { withTransaction, now }: CommentServices,
  key: CommentKey,
): Promise<void> {
  const { channelId, number } = key;
  await withTransaction('notifications', async (trx) => {
    const nowMs = now();
    const announcement = await requireConfirmed(trx, key);
    if (announcement.reminded_at_ms === null && !isTimeToRemind(announcement, nowMs))
      throw new ApiError('too_early');
    // Locks the row, so that another process reminds nobody a second time.
    const { numUpdatedRows } = await trx
      .updateTable('announcements')
      .set({ reminded_at_ms: nowMs })
      .where('channel_id', '=', channelId)
      .where('number', '=', number)
      .where('reminded_at_ms', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new ApiError('already_reminded');
    await sql`
      insert into notifications (account_id, kind, channel_id, number, occasion, actor_id, created_at_ms)
      select accounts.id, 'announcement', ${channelId}, cast(${number} as integer), 1,
        comments.account_id, cast(${nowMs} as bigint)
      from comments join accounts on accounts.id <> comments.account_id
      where comments.channel_id = ${channelId} and comments.number = ${number}
        and ${isMember(trx, nowMs)}
        and not exists (select 1 from acknowledgements as read where read.channel_id = ${channelId}
          and read.number = ${number} and read.account_id = accounts.id)
      on conflict do nothing`.execute(trx);
  });
}

type Announcement = Selectable<Tables['announcements']>;

const isTimeToRemind = ({ told_at_ms, ends_at_ms }: Announcement, nowMs: number) =>
  told_at_ms !== null && nowMs >= told_at_ms + remindAfterMs && nowMs < ends_at_ms;

/** People who were not told that it is seen who has read an announcement are listed to nobody. @throws ApiError `comment_not_found` */
async function requireConfirmed(db: Database, key: CommentKey): Promise<Announcement> {
  const announcement = await requireAnnouncement(db, key);
  if (announcement.asks_confirmation === 0) throw new ApiError('comment_not_found');
  return announcement;
}

/** @throws ApiError `comment_not_found` */
async function requireAnnouncement(db: Database, key: CommentKey) {
  const announcement = await db
    .selectFrom('announcements')
    .selectAll()
    .where('channel_id', '=', key.channelId)
    .where('number', '=', key.number)
    .executeTakeFirst();
  if (!announcement || !(await isCommentVisible(db, key))) throw new ApiError('comment_not_found');
  return announcement;
}
