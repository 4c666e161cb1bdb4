import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { kindsWith } from '../../../shared/notification-kinds.ts';
import type { ConfirmLock } from '../../database/engine-type.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { pushKeys } from '../../push/push-keys.ts';
import { canPush } from '../../push/subscriptions.ts';
import { type PushResult, type Subscriber, sendPush } from '../../push/web-push.ts';
import { levelOf, settingsInForce, zoneInForce } from '../../site-settings/site-settings.ts';
import { retryWaitMs } from '../../system/retries.ts';
import type { Config, DatabaseSettings } from '../../system/settings/config.ts';
import { dayMs } from '../../system/times.ts';
import { findFollow } from '../channel-levels.ts';
import { listNewNotifications } from '../list-notifications.ts';
import { isKind } from '../notification-rows.ts';
import { kindsToldTo, standingColumns } from '../told-news.ts';
import { pushMessage, shownLines } from './push-message.ts';
import { nextQuarterMs, secondsUntilNight } from './quiet-hours.ts';
import { isWrittenBy, laterOf } from './unseen-news.ts';

/** Time for people to read news on an open page. */
const waitMs = 20_000;
/** Minimum time between two messages to one browser. */
const betweenMs = 60_000;
/** Passes overlap by this time, for transactions that committed late and clocks that differ. */
const overlapMs = 60_000;
/** Attempts for one message, over some two hours if the push service does not ask to wait. */
const mostTries = 8;
/** Messages sent at once, so that one slow push service does not delay those of others for long. */
const batchSize = 20;
/** Time after which a pass leaves what is due to the next one, so that it does not hold up other news. */
const passMs = 30_000;
/** How long a push service keeps a message for a browser that is not connected. */
const keptSeconds = 86_400;

/** Messages that push services refused through a fault of the site since the operator was last alerted. */
export interface PushRefusals {
  count: number;
  /** Host and status of the last one. */
  last: string;
}

export interface PushServices {
  config: Pick<Config, 'publicUrl'> & DatabaseSettings;
  db: Database;
  withTransaction: WithTransaction;
  isPushService: (endpoint: URL) => boolean;
  pushRefusals: PushRefusals;
  now: () => number;
  /** Aborts messages that are being sent. */
  stopping: AbortSignal;
  log?: Pick<FastifyBaseLogger, 'warn'>;
}

/** A subscription that is due, and the range of its news. */
interface Due extends Subscriber {
  device_id: string;
  account_id: string;
  tries: number;
  next_try_at_ms: number;
  push_excerpts: number;
  /** Null when it is pushed at any time; empty for the community's. */
  quiet_zone: string | null;
  mark: number;
  /** Null when nothing was written since, or not long enough ago. */
  newest: number | null;
}

/**
 * Pushes news to the browsers that are due, while it holds the lock.
 * @param pass.passedMs when the last pass began; 0 to look at everything that push services would keep until now
 * @param pass.ending nothing more is sent once it is aborted
 * @returns the number of messages sent
 */
export async function pushNews(
  services: PushServices,
  confirmLock: ConfirmLock,
  { passedMs = 0, ending = services.stopping }: { passedMs?: number; ending?: AbortSignal } = {},
): Promise<number> {
  if (!canPush(services.config)) return 0;
  await findBrowsersWithNews(services, passedMs);
  const startedMs = performance.now();
  let sent = 0;
  for (;;) {
    const due = await findDue(services.db, services.now());
    if (due.length === 0 || ending.aborted || performance.now() - startedMs > passMs) return sent;
    // If another process has taken the lock in the meantime, it would send the same messages.
    await confirmLock();
    const outcomes = await Promise.allSettled(due.map((one) => pushOne(services, one)));
    sent += outcomes.filter((one) => one.status === 'fulfilled' && one.value).length;
    const failed = outcomes.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** Makes the browsers due of accounts with notifications since the last pass. Its cost is that of these notifications. */
async function findBrowsersWithNews(
  { db, withTransaction, now }: PushServices,
  passedMs: number,
): Promise<void> {
  const nowMs = now();
  const isAfterClock = passedMs > nowMs;
  const sinceMs = isAfterClock || passedMs === 0 ? nowMs - dayMs : passedMs - overlapMs - waitMs;
  const notified = sql<string>`(select account_id from notifications
    where notifications.created_at_ms > ${sinceMs} and ${isWrittenBy(nowMs - waitMs, nowMs)}
      and ${isKind(({ isPushed }) => isPushed)})`;
  const quiet = db
    .selectFrom('push_subscriptions')
    .select('device_id')
    .where('next_try_at_ms', 'is', null)
    .where('account_id', 'in', notified);
  if ((await quiet.limit(1).executeTakeFirst()) === undefined) return;
  await withTransaction('push', (trx) =>
    trx
      .updateTable('push_subscriptions')
      .set({ next_try_at_ms: nowMs })
      .where('next_try_at_ms', 'is', null)
      .where('account_id', 'in', notified)
      .execute(),
  );
}

/** The subscriptions that are due, longest waiting first, at most a batch. */
async function findDue(db: Database, nowMs: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select found.*, (select max(notifications.id) from notifications
      where notifications.account_id = found.account_id and notifications.id > found.mark
        and ${isWrittenBy(nowMs - waitMs, nowMs)}) as newest
    from (
      select device_id, account_id, endpoint, p256dh, auth, tries, next_try_at_ms, push_excerpts,
        case when quiet_nights = 1 then coalesce(zone, '') end as quiet_zone,
        ${laterOf('notifications_seen_id', 'pushed_notification_id')} as mark
      from push_subscriptions join accounts on accounts.id = push_subscriptions.account_id
      where next_try_at_ms <= ${nowMs}
      order by next_try_at_ms limit ${sql.lit(batchSize)}) as found
    order by next_try_at_ms`.execute(db);
  return rows;
}

/** @returns whether a message was sent */
async function pushOne(services: PushServices, due: Due): Promise<boolean> {
  const { db, now, isPushService, pushRefusals, log } = services;
  const { newest, tries } = due;
  if (newest === null) {
    await change(services, due, { tries: 0, next_try_at_ms: null });
    return false;
  }
  const claimed = await claim(services, due);
  if (!claimed) return false;
  const nowMs = now();
  const restSeconds =
    due.quiet_zone === null
      ? keptSeconds
      : secondsUntilNight(await zoneInForce(db, due.quiet_zone), nowMs);
  if (restSeconds === 0) {
    await change(services, due, { tries, next_try_at_ms: nextQuarterMs(nowMs) });
    return false;
  }
  const url = URL.parse(due.endpoint);
  // The subscription of an account that is suspended, hidden or about to be erased ends. It can be made again later.
  if (!url || !isPushService(url) || !(await isReader(db, due, nowMs))) {
    await remove(services, due);
    return false;
  }
  const payload = await makePayload(db, due, newest);
  if (payload === undefined || tries >= mostTries) {
    await settle(services, due, newest);
    return false;
  }
  const push = {
    payload,
    ttlSeconds: Math.min(restSeconds, keptSeconds),
    keys: await pushKeys(db),
    site: services.config.publicUrl ?? '',
  };
  const result = await sendPush(due, push, services.stopping);
  if ('reason' in result) log?.warn(`${url.host} did not take a push message: ${result.reason}`);
  if (result.kind === 'refused') {
    pushRefusals.count++;
    pushRefusals.last = `${url.host}, ${result.reason}`;
  }
  await record(services, due, newest, result);
  return result.kind === 'sent';
}

async function isReader(db: Database, { account_id }: Due, nowMs: number): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select(standingColumns)
    .where('id', '=', account_id)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!account) return false;
  const kinds = await kindsToldTo(db, account, nowMs, ({ toldTo }) => toldTo === 'readers');
  return kinds.length > 0;
}

/** @returns undefined when nothing is new and visible any more */
async function makePayload(
  db: Database,
  { account_id, mark, push_excerpts }: Due,
  newest: number,
): Promise<string | undefined> {
  const { important } = await db
    .selectFrom('accounts')
    .select('important')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow();
  const kinds = kindsWith(
    ({ isPushed, mail }) => isPushed && (mail !== 'at once' || important !== 'never'),
  );
  const follow = await findFollow(db, account_id, levelOf(await settingsInForce(db)));
  const shown = { most: shownLines, kinds, follow };
  const news = await listNewNotifications(db, account_id, { after: mark, upTo: newest }, shown);
  if (news.data.length === 0) return undefined;
  const withExcerpt = push_excerpts === 1;
  return JSON.stringify(pushMessage(news, { withExcerpt, tag: String(newest) }));
}

function record(
  services: PushServices,
  due: Due,
  newest: number,
  result: PushResult,
): Promise<void> {
  if (result.kind === 'gone') return remove(services, due);
  if (result.kind === 'sent') return settle(services, due, newest);
  const waitingMs = retryWaitMs(due.tries, result.retryAfterMs);
  return change(services, due, { next_try_at_ms: services.now() + waitingMs });
}

/**
 * Stores the time of the next attempt before a message is sent: if nothing can be stored, as on a full disk, it would
 * otherwise be sent again and again.
 * @returns false when the subscription has ended, or another process has claimed it
 */
async function claim({ withTransaction, now }: PushServices, due: Due): Promise<boolean> {
  const { numUpdatedRows } = await withTransaction(`account ${due.account_id}`, (trx) =>
    trx
      .updateTable('push_subscriptions')
      .set({ tries: due.tries + 1, next_try_at_ms: now() + retryWaitMs(due.tries) })
      .where('device_id', '=', due.device_id)
      .where('endpoint', '=', due.endpoint)
      .where('next_try_at_ms', '=', due.next_try_at_ms)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

interface Changes {
  tries?: number;
  next_try_at_ms: number | null;
  pushed_notification_id?: number;
}

async function change(
  { withTransaction }: PushServices,
  { account_id, device_id, endpoint }: Due,
  changes: Changes,
): Promise<void> {
  await withTransaction(`account ${account_id}`, (trx) =>
    trx
      .updateTable('push_subscriptions')
      .set(changes)
      .where('device_id', '=', device_id)
      .where('endpoint', '=', endpoint)
      .execute(),
  );
}

/** Records that news up to an id was pushed, or is not to be. What is written meanwhile is looked at a minute later. */
function settle(services: PushServices, due: Due, newest: number): Promise<void> {
  return change(services, due, {
    tries: 0,
    next_try_at_ms: services.now() + betweenMs,
    pushed_notification_id: newest,
  });
}

async function remove(
  { withTransaction }: PushServices,
  { account_id, device_id, endpoint }: Due,
): Promise<void> {
  await withTransaction(`account ${account_id}`, (trx) =>
    trx
      .deleteFrom('push_subscriptions')
      .where('device_id', '=', device_id)
      .where('endpoint', '=', endpoint)
      .execute(),
  );
}
