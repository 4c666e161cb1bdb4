import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import { notificationKinds } from '../../shared/notification-kinds.ts';
import type {
  AnyNotification,
  Follow,
  Level,
  NotificationKind,
  NotificationPage,
} from '../../shared/notifications.ts';
import type { Database } from '../database/tables.ts';
import { listFollowed } from './channel-levels.ts';
import { completeNotifications } from './complete-notifications.ts';
import { formatNotificationCursor, parseNotificationCursor } from './notification-cursor.ts';
import {
  findSeen,
  type IdRange,
  type Merged,
  mergeNotifications,
  newestId,
} from './notification-rows.ts';

/**
 * A page of an account's notifications, merged by channel and kind; the first page also lists the followed channels.
 * Every page shows as new what was new when the first page was read, since reading it marks it as seen.
 * @param follow the account's level in channels for which it never chose one
 * @throws InvalidCursor
 */
export async function listNotifications(
  db: Database,
  accountId: string,
  after: string | undefined,
  follow: Follow,
): Promise<NotificationPage> {
  const cursor = after === undefined ? undefined : parseNotificationCursor(after);
  const { before, seen } = cursor ?? { before: newestId, seen: await findSeen(db, accountId) };
  const merged = await mergeNotifications(db, accountId, seen);
  // Only groups whose newest id is lower: a group on an earlier page may have grown.
  const rest = merged.filter(([newest]) => newest.id < before);
  const page = rest.slice(0, limits.notificationsPerPage);
  const last = page.at(-1)?.[0].id ?? before;
  return {
    data: await completeNotifications(db, accountId, page),
    channels: cursor ? [] : await listFollowed(db, accountId, follow),
    next: rest.length > page.length ? formatNotificationCursor({ before: last, seen }) : null,
  };
}

/**
 * Counts an account's new notifications, merged as in the list. Most accounts have none, and planning a query of views
 * costs PostgreSQL more than looking for candidates first.
 */
export async function countNewNotifications(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ seen: number }>`
    select notifications_seen_id as seen from accounts where id = ${accountId}
      and notifications_seen_id < (select max(id) from notifications where account_id = ${accountId})
  `.execute(db);
  const [candidates] = rows;
  if (!candidates) return 0;
  const { seen } = candidates;
  const merged = await mergeNotifications(db, accountId, seen, { after: seen, upTo: newestId });
  return merged.filter(([{ is_new }]) => is_new === 1).length;
}

/**
 * The new notifications of a range, merged as in the list, without those that the account has silenced since. Those
 * that concern the account itself come first, then those that are mailed at once, which a digest must not leave out.
 * @param shown.most at most so many are returned
 * @param shown.follow the account's level in channels for which it never chose one
 * @param shown.mailedNotice leaves out what does not wait up to this id, which was mailed at once
 * @returns also how many more there are
 */
export async function listNewNotifications(
  db: Database,
  accountId: string,
  range: IdRange,
  {
    most,
    kinds,
    follow,
    mailedNotice = 0,
  }: { most: number; kinds: NotificationKind[]; follow: Follow; mailedNotice?: number },
): Promise<{ data: AnyNotification[]; more: number }> {
  const seen = await findSeen(db, accountId);
  const merged = await mergeNotifications(db, accountId, seen, range);
  const chosen = await findChosenLevels(db, accountId, merged);
  const fresh = merged.filter(
    ([{ id, kind, is_new, channel_id }]) =>
      is_new === 1 &&
      kinds.includes(kind) &&
      (id > mailedNotice || notificationKinds[kind].mail !== 'at once') &&
      notificationKinds[kind].levels.includes(chosen.get(channel_id) ?? follow),
  );
  const rank = ([{ kind }]: Merged) => {
    const { toldTo, mail } = notificationKinds[kind];
    return toldTo === 'accounts' ? 2 : Number(mail === 'at once');
  };
  fresh.sort((one, other) => rank(other) - rank(one));
  return {
    data: await completeNotifications(db, accountId, fresh.slice(0, most)),
    more: Math.max(0, fresh.length - most),
  };
}

/** The levels that an account chose for the channels of these notifications. */
async function findChosenLevels(
  db: Database,
  accountId: string,
  merged: Merged[],
): Promise<Map<string | null, Level | null>> {
  const ids = [...new Set(merged.flatMap(([{ channel_id }]) => channel_id ?? []))];
  const levels = new Map<string | null, Level | null>();
  for (let start = 0; start < ids.length; start += limits.listItems) {
    const rows = await db
      .selectFrom('reading_positions')
      .select(['channel_id', 'level'])
      .where('account_id', '=', accountId)
      .where('channel_id', 'in', ids.slice(start, start + limits.listItems))
      .execute();
    for (const { channel_id, level } of rows) levels.set(channel_id, level);
  }
  return levels;
}
