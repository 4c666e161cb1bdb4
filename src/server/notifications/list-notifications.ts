import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import { notificationKinds } from '../../shared/notification-kinds.ts';
import type {
  AnyNotification,
  NotificationKind,
  NotificationPage,
} from '../../shared/notifications.ts';
import { formatNotificationCursor, parseNotificationCursor } from '../database/cursors.ts';
import type { Database } from '../database/tables.ts';
import { listFollowed } from './channel-levels.ts';
import { completeNotifications } from './complete-notifications.ts';
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
 * @throws InvalidCursor
 */
export async function listNotifications(
  db: Database,
  accountId: string,
  after: string | undefined,
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
    channels: cursor ? [] : await listFollowed(db, accountId),
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
 * The new notifications of a range, merged as in the list, without channels that the account has silenced since. Those
 * that concern the account itself come first.
 * @param shown.most at most so many are returned
 * @returns also how many more there are
 */
export async function listNewNotifications(
  db: Database,
  accountId: string,
  range: IdRange,
  { most, kinds }: { most: number; kinds: NotificationKind[] },
): Promise<{ data: AnyNotification[]; more: number }> {
  const seen = await findSeen(db, accountId);
  const merged = await mergeNotifications(db, accountId, seen, range);
  const silenced = await listSilenced(db, accountId);
  const fresh = merged.filter(
    ([{ kind, is_new, channel_id }]) =>
      is_new === 1 &&
      kinds.includes(kind) &&
      !(notificationKinds[kind].isSilenceable && silenced.has(channel_id)),
  );
  const isOfAccount = ([{ kind }]: Merged) => Number(notificationKinds[kind].toldTo === 'accounts');
  fresh.sort((one, other) => isOfAccount(other) - isOfAccount(one));
  return {
    data: await completeNotifications(db, accountId, fresh.slice(0, most)),
    more: Math.max(0, fresh.length - most),
  };
}

/** Ids of the channels that an account has silenced. */
async function listSilenced(db: Database, accountId: string): Promise<Set<string | null>> {
  const rows = await db
    .selectFrom('reading_positions')
    .select('channel_id')
    .where('account_id', '=', accountId)
    .where('level', '=', 'none')
    .execute();
  return new Set(rows.map(({ channel_id }) => channel_id));
}
