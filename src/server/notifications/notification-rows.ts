import { type SqlBool, sql } from 'kysely';
import { kindsWith, notificationKinds } from '../../shared/notification-kinds.ts';
import type { NotificationKind } from '../../shared/notifications.ts';
import { isListed } from '../accounts/standing/listed.ts';
import type { Database } from '../database/tables.ts';

/** Lists and counts are limited to this many of the newest visible notifications. */
const listedNotifications = 1000;

/** A visible notification of an account. */
interface NotificationRow {
  id: number;
  kind: NotificationKind;
  channel_id: string | null;
  number: number | null;
  actor_id: string | null;
  decision_id: string | null;
  occasion: number;
  created_at_ms: number;
  is_new: number;
}

/** Notifications that are shown as one, all new or all seen, newest first. */
export type Merged = [NotificationRow, ...NotificationRow[]];

/** Notifications with ids above `after`, up to and including `upTo`. */
export interface IdRange {
  after: number;
  upTo: number;
}

/** Above all ids. */
export const newestId = Number.MAX_SAFE_INTEGER;

/** SQL condition on `notifications`: its kind is one of these. */
export function isKind(holds: Parameters<typeof kindsWith>[0]) {
  const kinds = kindsWith(holds);
  return kinds.length > 0
    ? sql<SqlBool>`notifications.kind in (${sql.join(kinds)})`
    : sql<SqlBool>`1 = 0`;
}

/**
 * Whether visitors can see what a notification is about: its channel, comment, any comment by others from its own on, or
 * the person giving thanks. A subquery per row, because PostgreSQL would read all comments for a join.
 */
const isSubjectVisible = sql<SqlBool>`case
  when ${isKind((kind) => kind.isListedWhenHidden)} then true
  when notifications.kind = 'channel' then (select 1 from visible_channels
    where visible_channels.id = notifications.channel_id) = 1
  when notifications.kind = 'comment' then (select 1 from visible_comments
    where visible_comments.channel_id = notifications.channel_id
      and visible_comments.number >= notifications.number
      and visible_comments.account_id <> notifications.account_id limit 1) = 1
  else (select 1 from visible_comments
    where visible_comments.channel_id = notifications.channel_id
      and visible_comments.number = notifications.number) = 1
  and (notifications.kind <> 'thanks' or (select 1 from comment_thanks
    join accounts on accounts.id = comment_thanks.account_id
    where comment_thanks.channel_id = notifications.channel_id and comment_thanks.number = notifications.number
      and comment_thanks.account_id = notifications.actor_id and ${isListed}) = 1) end`;

const ifPublished = (what: string) => sql`case when decisions.action = 'approve'
  and decisions.subject_kind = 'comment' then ${sql.raw(what)} end`;

/**
 * Whether the account has not read what a notification is about: a comment, a channel, or the comment that a decision
 * published. Reading is not enough for edits, and for kinds that are not seen by it.
 */
const isUnread = (accountId: string) => sql<SqlBool>`case
  when notifications.kind = 'decision' then (
    select 1 from decisions join reading_positions as read on read.account_id = ${accountId}
      and read.channel_id = ${ifPublished('substr(decisions.subject_id, 1, 36)')}
      and read.number >= ${ifPublished('cast(substr(decisions.subject_id, 38) as integer)')}
    where decisions.id = notifications.decision_id) is null
  when notifications.kind = 'channel' then (
    select 1 from reading_positions as read
    where read.account_id = ${accountId} and read.channel_id = notifications.channel_id) is null
  else notifications.by_edit = 1 or not ${isKind((kind) => kind.isSeenByReading)}
    or notifications.number > coalesce((select read.number from reading_positions as read
      where read.account_id = ${accountId} and read.channel_id = notifications.channel_id), 0) end`;

/** Id of the newest notification that an account has seen in the list. */
export async function findSeen(db: Database, accountId: string): Promise<number> {
  const { seen } = await db
    .selectFrom('accounts')
    .select('notifications_seen_id as seen')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return seen;
}

/**
 * An account's visible notifications, newest first, merged by channel and kind. They are new if they are neither seen
 * nor about a comment that was read.
 * @param seen id of the newest that was seen
 */
export async function mergeNotifications(
  db: Database,
  accountId: string,
  seen: number,
  { after, upTo }: IdRange = { after: 0, upTo: newestId },
): Promise<Merged[]> {
  const { rows } = await sql<NotificationRow>`
    select id, kind, channel_id, number, actor_id, decision_id, occasion, created_at_ms,
      case when id > ${seen} and ${isUnread(accountId)} then 1 else 0 end as is_new
    from notifications
    where account_id = ${accountId} and id > ${after} and id <= ${upTo}
      and ${isSubjectVisible}
    order by id desc limit ${sql.lit(listedNotifications)}`.execute(db);
  const groups = Map.groupBy(rows, ({ id, channel_id, kind, is_new }) => {
    const { mergedBy } = notificationKinds[kind];
    if (mergedBy === 'nothing') return id;
    return [kind, is_new, mergedBy === 'channel' ? channel_id : ''].join();
  });
  return [...groups.values()] as Merged[];
}
