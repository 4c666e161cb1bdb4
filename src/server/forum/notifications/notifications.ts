import { type SqlBool, sql } from 'kysely';
import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type {
  DecisionNotification,
  Notification,
  NotificationPage,
  SeenNotifications,
} from '../../../shared/notifications.ts';
import { ownWords } from '../../../shared/own-words.ts';
import {
  formatNotificationCursor,
  type NotificationMark,
  newestMark,
  parseNotificationCursor,
} from '../../database/cursors.ts';
import { findNames } from '../../database/mention-names.ts';
import type { StoredText } from '../../database/stored-text.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { beginning, readBeginning } from '../../database/text-beginnings.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { isListed } from '../../database/visible-rows.ts';
import { type CommentRowKey, isAt } from '../comments/comment-details.ts';
import { listFollowed } from '../reading/channel-levels.ts';
import { decisionsToldTo, isUnseen, listDecisionNotifications } from './decision-notifications.ts';

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

/** Whether a notification is about more than a comment that can be read, as thanks are, or the comment is unread. */
const isUnread = (accountId: string) =>
  sql<SqlBool>`(notifications.kind = 'thanks' or notifications.by_edit = 1 or notifications.number > coalesce((
    select read.number from reading_positions as read
    where read.account_id = ${accountId} and read.channel_id = notifications.channel_id), 0))`;

/**
 * Counts an account's new notifications, merged by channel and kind, and new decisions. First selects candidates: most
 * accounts have none, and planning a query of views costs PostgreSQL more than running it. Then looks for one visible
 * notification per candidate.
 */
export async function countNewNotifications(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<number> {
  const seenDecision = sql`(select decisions_seen_id from accounts where id = ${accountId})`;
  const { rows } = await sql<{ id: number | null; decisions: number }>`
    select id, 0 as decisions from (
      select channel_id, kind, max(number) as number, max(by_edit) as by_edit, max(id) as id from (
        select * from notifications where account_id = ${accountId}
          and id > (select notifications_seen_id from accounts where id = ${accountId})
        order by id desc limit ${sql.lit(listedNotifications)}) as newest
      group by channel_id, kind) as notifications
    where ${isUnread(accountId)}
    union all select null, count(*) from ${decisionsToldTo(accountId, nowMs)}
      and ${isUnseen(accountId, seenDecision)}`.execute(db);
  const decisions = rows.reduce((sum, row) => sum + Number(row.decisions), 0);
  const candidates = rows.flatMap(({ id }) => id ?? []);
  if (candidates.length === 0) return decisions;
  const ids = sql.join(candidates);
  const lines = await sql<{ count: number }>`
    select count(*) as count from notifications as line where id in (${ids}) and (
      select 1 from notifications where account_id = ${accountId}
        and channel_id = line.channel_id and kind = line.kind
        and id > (select notifications_seen_id from accounts where id = ${accountId})
        and ${isUnread(accountId)} and ${isSubjectVisible}
      limit 1) = 1`.execute(db);
  return decisions + Number(lines.rows[0]?.count);
}

interface NotificationRow extends CommentRowKey {
  id: number;
  kind: Notification['kind'];
  actor_id: string;
  created_at_ms: number;
  is_new: number;
}

/**
 * A page of an account's notifications, merged by channel and kind, and of decisions about it; the first page also lists
 * the followed channels. Every page shows as new what was new when the first page was read, since reading it marks it as
 * seen.
 * @throws InvalidCursor
 */
export async function listNotifications(
  db: Database,
  accountId: string,
  after: string | undefined,
  nowMs: number,
): Promise<NotificationPage> {
  const { before, seen } =
    after === undefined
      ? { before: newestMark, seen: await findSeen(db, accountId) }
      : parseNotificationCursor(after);
  const merged = await mergeNotifications(db, accountId, seen.notification);
  // Only groups whose newest id is lower: a group on an earlier page may have grown.
  const rest = merged.filter(([newest]) => newest.id < before.notification);
  const range = { seen: seen.decision, after: '', upTo: before.decision };
  const told = await listDecisionNotifications(db, accountId, range, nowMs);
  const decisions = told.filter(({ decisionId }) => decisionId !== before.decision);
  const groups = rest.slice(0, limits.notificationsPerPage);
  const page = mergeByTime(await completeNotifications(db, groups), decisions).slice(
    0,
    limits.notificationsPerPage,
  );
  const last = {
    notification: page.findLast((one) => one.kind !== 'decision')?.id ?? before.notification,
    decision: page.findLast((one) => one.kind === 'decision')?.decisionId ?? before.decision,
  };
  return {
    data: page,
    channels: after === undefined ? await listFollowed(db, accountId) : [],
    next:
      rest.length + decisions.length > page.length
        ? formatNotificationCursor({ before: last, seen })
        : null,
  };
}

/** Merges two lists that are newest first. The order within each stays, even where clocks differed. */
function mergeByTime(
  notifications: Notification[],
  decisions: DecisionNotification[],
): (Notification | DecisionNotification)[] {
  const all: (Notification | DecisionNotification)[] = [];
  const rest = [...decisions];
  for (const notification of notifications) {
    while (rest[0] && rest[0].createdAt > notification.createdAt) all.push(...rest.splice(0, 1));
    all.push(notification);
  }
  return [...all, ...rest];
}

/** Notifications of one channel and kind that are all new or all seen, newest first. */
type Merged = [NotificationRow, ...NotificationRow[]];

/** Notifications and decisions with ids above `after`, up to and including `upTo`. */
interface Range {
  after: NotificationMark;
  upTo: NotificationMark;
}

/**
 * The new decisions of a range, and the new notifications, merged as in the list, without channels that the account has
 * silenced since.
 * @param shown.most at most so many are returned; decisions come first, then the newest notifications
 * @param shown.isForDecisions whether the account is told of decisions only
 * @param shown.withoutThanks leaves out thanks
 * @returns also how many more there are
 */
export async function listNewNotifications(
  db: Database,
  accountId: string,
  { after, upTo }: Range,
  shown: { most: number; isForDecisions: boolean; withoutThanks?: boolean; nowMs: number },
): Promise<{ decisions: DecisionNotification[]; data: Notification[]; more: number }> {
  const { most, isForDecisions, withoutThanks = false, nowMs } = shown;
  const seen = await findSeen(db, accountId);
  const decided = { seen: seen.decision, after: after.decision, upTo: upTo.decision };
  const told = await listDecisionNotifications(db, accountId, decided, nowMs);
  const decisions = told.filter(({ isNew }) => isNew);
  const found = isForDecisions
    ? []
    : await findFresh(db, accountId, seen.notification, {
        after: after.notification,
        upTo: upTo.notification,
      });
  const fresh = found.filter(([{ kind }]) => !withoutThanks || kind !== 'thanks');
  const left = Math.max(0, most - decisions.length);
  return {
    decisions: decisions.slice(0, most),
    data: await completeNotifications(db, fresh.slice(0, left)),
    more: Math.max(0, decisions.length + fresh.length - most),
  };
}

async function findFresh(db: Database, accountId: string, seen: number, range: IdRange) {
  const merged = await mergeNotifications(db, accountId, seen, range);
  const silenced = await listSilenced(db, accountId);
  return merged.filter(([{ is_new, channel_id }]) => is_new === 1 && !silenced.has(channel_id));
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

/** Ids of the newest notification that an account has seen in the list, and of the newest decision. */
async function findSeen(db: Database, accountId: string): Promise<NotificationMark> {
  return db
    .selectFrom('accounts')
    .select(['notifications_seen_id as notification', 'decisions_seen_id as decision'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
}

/** Notifications with ids above `after`, up to and including `upTo`. */
interface IdRange {
  after: number;
  upTo: number;
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
      case when id > ${seen} and ${isUnread(accountId)} then 1 else 0 end as is_new
    from notifications
    where account_id = ${accountId} and id > ${after} and id <= ${upTo}
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

/** Marks an account's notifications, and decisions, as seen up to these ids. Lower ids than before change nothing. */
export async function markSeen(
  { withTransaction }: { withTransaction: WithTransaction },
  accountId: string,
  { id, decisionId = '' }: SeenNotifications,
): Promise<void> {
  // An id beyond the account's newest notification must not hide later ones.
  const newest = sql<number>`(select max(id) from notifications
    where account_id = ${accountId} and id <= ${id})`;
  const newestDecision = sql<string>`(select max(decision_id) from decision_accounts
    where account_id = ${accountId} and decision_id <= ${decisionId})`;
  await withTransaction(`account ${accountId}`, async (trx) => {
    const account = trx.updateTable('accounts').where('id', '=', accountId);
    await account
      .set({ notifications_seen_id: newest })
      .where('notifications_seen_id', '<', newest)
      .execute();
    if (decisionId === '') return;
    await account
      .set({ decisions_seen_id: newestDecision })
      .where('decisions_seen_id', '<', newestDecision)
      .execute();
  });
}
