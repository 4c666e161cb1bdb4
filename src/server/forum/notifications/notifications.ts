import { type SqlBool, sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { Notification, NotificationPage } from '../../../shared/notifications.ts';
import { ownWords } from '../../../shared/own-words.ts';
import { formatNotificationCursor, parseNotificationCursor } from '../../database/cursors.ts';
import { findNames } from '../../database/mention-names.ts';
import type { StoredText } from '../../database/stored-text.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { beginning, readBeginning } from '../../database/text-beginnings.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { isListed } from '../../database/visible-rows.ts';
import { type CommentRowKey, isAt } from '../comments/comment-details.ts';
import { listFollowed } from '../reading/channel-levels.ts';

/**
 * Lists are limited to this many of the newest visible notifications, and counts to this many of the newest, visible or
 * not.
 */
const listedNotifications = 1000;

/**
 * Whether visitors can see the comment, or the person giving thanks, of a notification. A subquery per row, because
 * PostgreSQL would read all comments for a join.
 */
const isSubjectVisible = sql<SqlBool>`(select 1 from visible_comments
    where visible_comments.channel_id = notifications.channel_id
      and visible_comments.number = notifications.number) = 1
  and (notifications.kind <> 'thanks' or (select 1 from comment_thanks
    join accounts on accounts.id = comment_thanks.account_id
    where comment_thanks.channel_id = notifications.channel_id and comment_thanks.number = notifications.number
      and comment_thanks.account_id = notifications.actor_id and ${isListed}) = 1)`;

/** Whether a notification is of kind `thanks` or its comment is unread. */
const isUnread = (accountId: string) =>
  sql<SqlBool>`(notifications.kind = 'thanks' or notifications.number > coalesce((
    select read.number from reading_positions as read
    where read.account_id = ${accountId} and read.channel_id = notifications.channel_id), 0))`;

/**
 * Counts an account's new notifications, merged by channel and kind. First selects candidates: most accounts have none,
 * and planning a query of views costs PostgreSQL more than running it. Then looks for one visible notification per
 * candidate.
 */
export async function countNewNotifications(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select channel_id, kind, max(number) as number, max(id) as id from (
        select * from notifications where account_id = ${accountId}
          and id > (select notifications_seen_id from accounts where id = ${accountId})
        order by id desc limit ${sql.lit(listedNotifications)}) as newest
      group by channel_id, kind) as notifications
    where ${isUnread(accountId)}`.execute(db);
  if (rows.length === 0) return 0;
  const ids = sql.join(rows.map(({ id }) => id));
  const lines = await sql<{ count: number }>`
    select count(*) as count from notifications as line where id in (${ids}) and (
      select 1 from notifications where account_id = ${accountId}
        and channel_id = line.channel_id and kind = line.kind
        and id > (select notifications_seen_id from accounts where id = ${accountId})
        and ${isUnread(accountId)} and ${isSubjectVisible}
      limit 1) = 1`.execute(db);
  return Number(lines.rows[0]?.count);
}

interface NotificationRow extends CommentRowKey {
  id: number;
  kind: Notification['kind'];
  actor_id: string;
  created_at_ms: number;
  is_new: number;
}

/**
 * A page of an account's notifications, merged by channel and kind; the first page also lists the followed channels.
 * Every page shows as new the notifications that were new when the first page was read, since reading it marks them as
 * seen.
 * @throws InvalidCursor
 */
export async function listNotifications(
  db: Database,
  accountId: string,
  after: string | undefined,
): Promise<NotificationPage> {
  const { before, seen } =
    after === undefined
      ? { before: Number.POSITIVE_INFINITY, seen: await findSeen(db, accountId) }
      : parseNotificationCursor(after);
  const merged = await mergeNotifications(db, accountId, seen);
  // Only groups whose newest id is lower: a group on an earlier page may have grown.
  const rest = merged.filter(([newest]) => newest.id < before);
  const page = rest.slice(0, limits.notificationsPerPage);
  const last = page.at(-1)?.[0];
  return {
    data: await completeNotifications(db, page),
    channels: after === undefined ? await listFollowed(db, accountId) : [],
    next: rest.length > page.length && last ? formatNotificationCursor(last.id, seen) : null,
  };
}

/** Notifications of one channel and kind that are all new or all seen, newest first. */
type Merged = [NotificationRow, ...NotificationRow[]];

/** Notifications with ids above `after`, up to and including `upTo`. */
interface IdRange {
  after: number;
  upTo: number;
}

/**
 * The new notifications of a range, merged as in the list, without channels that the account has silenced since.
 * @returns at most `most` of them, newest first, and how many more there are
 */
export async function listNewNotifications(
  db: Database,
  accountId: string,
  range: IdRange,
  most: number,
): Promise<{ data: Notification[]; more: number }> {
  const merged = await mergeNotifications(db, accountId, await findSeen(db, accountId), range);
  const silenced = await listSilenced(db, accountId);
  const fresh = merged.filter(
    ([{ is_new, channel_id }]) => is_new === 1 && !silenced.has(channel_id),
  );
  const data = await completeNotifications(db, fresh.slice(0, most));
  return { data, more: Math.max(0, fresh.length - most) };
}

/** Ids of the channels that an account has silenced. */
async function listSilenced(db: Database, accountId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('reading_positions')
    .select('channel_id')
    .where('account_id', '=', accountId)
    .where('level', '=', 'none')
    .execute();
  return new Set(rows.map(({ channel_id }) => channel_id));
}

/** Id of the newest notification that an account has seen in the list. */
async function findSeen(db: Database, accountId: string): Promise<number> {
  const { notifications_seen_id } = await db
    .selectFrom('accounts')
    .select('notifications_seen_id')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return notifications_seen_id;
}

const allIds: IdRange = { after: 0, upTo: Number.MAX_SAFE_INTEGER };

async function mergeNotifications(
  db: Database,
  accountId: string,
  seen: number,
  { after, upTo } = allIds,
): Promise<Merged[]> {
  const { rows } = await sql<NotificationRow>`
    select id, kind, channel_id, number, actor_id, created_at_ms,
      case when id > ${sql.lit(seen)} and ${isUnread(accountId)} then 1 else 0 end as is_new
    from notifications
    where account_id = ${accountId} and id > ${sql.lit(after)} and id <= ${sql.lit(upTo)}
      and ${isSubjectVisible}
    order by id desc limit ${sql.lit(listedNotifications)}`.execute(db);
  const groups = Map.groupBy(rows, ({ channel_id, kind, is_new }) =>
    [channel_id, kind, is_new].join(),
  );
  return [...groups.values()] as Merged[];
}

async function completeNotifications(db: Database, page: Merged[]): Promise<Notification[]> {
  if (page.length === 0) return [];
  const shown = page.map((rows) => {
    const [newest] = rows;
    const numbers = rows.map(({ number }) => number);
    return {
      newest,
      channel_id: newest.channel_id,
      number: newest.is_new ? Math.min(...numbers) : newest.number,
      actors: [...new Set(rows.map(({ actor_id }) => actor_id))],
    };
  });
  const actorIds = shown.flatMap(({ actors }) => actors.slice(0, limits.notificationPeople));
  const people = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'img'])
    .where('id', 'in', [...new Set(actorIds)])
    .execute();
  const peopleById = new Map(people.map(({ img, ...one }) => [one.id, { ...one, img: img ?? '' }]));
  const channelIds = shown.map(({ channel_id }) => channel_id);
  const channels = await db
    .selectFrom('visible_channels')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(channelIds)])
    .execute();
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const excerpts = await findExcerpts(db, shown);
  return shown.map(({ newest, channel_id, number, actors }) => ({
    id: newest.id,
    kind: newest.kind,
    channel: { _id: channel_id, name: names.get(channel_id) ?? '' },
    number,
    people: actors.slice(0, limits.notificationPeople).flatMap((id) => peopleById.get(id) ?? []),
    count: actors.length,
    excerpt: excerpts.get(commentId(channel_id, number)) ?? '',
    createdAt: toInstant(newest.created_at_ms),
    isNew: newest.is_new === 1,
  }));
}

/** Excerpts from the start of comments, by comment id. */
async function findExcerpts(db: Database, keys: CommentRowKey[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('visible_comments')
    .select(['channel_id', 'number', readBeginning('text').as('text')])
    .where(isAt(keys))
    .execute();
  const names = await findNames(
    db,
    rows.map(({ text }) => text),
  );
  return new Map(
    rows.map(({ channel_id, number, text }) => [
      commentId(channel_id, number),
      beginning(ownWords(text) as StoredText, names),
    ]),
  );
}

/** Marks an account's notifications as seen up to this id. A lower id than before changes nothing. */
export async function markSeen(
  { withTransaction }: { withTransaction: WithTransaction },
  accountId: string,
  id: number,
): Promise<void> {
  // An id beyond the account's newest notification must not hide later ones.
  const newest = sql<number>`(select max(id) from notifications
    where account_id = ${accountId} and id <= ${id})`;
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set({ notifications_seen_id: newest })
      .where('id', '=', accountId)
      .where('notifications_seen_id', '<', newest)
      .execute(),
  );
}
