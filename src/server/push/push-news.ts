import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { ConfirmLock } from '../database/engine-type.ts';
import { zoneInForce } from '../database/site-settings/site-settings.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { decisionsToldTo } from '../forum/notifications/decision-notifications.ts';
import { toldNews } from '../forum/notifications/told-news.ts';
import { findNewsLines } from '../mail/mailed-news.ts';
import type { Config, DatabaseSettings } from '../system/settings/config.ts';
import { pushKeys } from './push-keys.ts';
import { pushMessage, shownLines } from './push-message.ts';
import { nextQuarterMs, secondsUntilNight } from './quiet-hours.ts';
import { canPush } from './subscriptions.ts';
import { type PushResult, type Subscriber, sendPush } from './web-push.ts';

/** Time for people to read news on an open page. */
const waitMs = 20_000;
/** Minimum time between two messages to one browser. */
const betweenMs = 60_000;
/** Wait after a failure, doubled after each further one, up to the longest. */
const firstWaitMs = 60_000;
const longestWaitMs = 4 * 3_600_000;
/** Attempts for one message, over some two hours if the push service does not ask to wait. */
const mostTries = 8;
/** Messages sent at once, so that one slow push service does not delay those of others for long. */
const batchSize = 20;
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

/** A subscription with news, and the range of the news. */
interface Due extends Subscriber {
  device_id: string;
  account_id: string;
  tries: number;
  next_try_at_ms: number;
  push_excerpts: number;
  /** Null when it is pushed at any time; empty for the community's. */
  quiet_zone: string | null;
  mark: number;
  newest: number | null;
  decision_mark: string;
  newest_decision: string | null;
}

/**
 * Pushes news to the browsers that are due, while it holds the lock.
 * @param ending nothing more is sent once it is aborted
 * @returns the number of messages sent
 */
export async function pushNews(
  services: PushServices,
  confirmLock: ConfirmLock,
  ending = services.stopping,
): Promise<number> {
  if (!canPush(services.config)) return 0;
  let sent = 0;
  for (;;) {
    const due = await findDue(services.db, services.now(), batchSize);
    if (due.length === 0 || ending.aborted) return sent;
    // If another process has taken the lock in the meantime, it would send the same messages.
    await confirmLock();
    const outcomes = await Promise.allSettled(due.map((one) => pushOne(services, one)));
    sent += outcomes.filter((one) => one.status === 'fulfilled' && one.value).length;
    const failed = outcomes.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** Finds subscriptions with news, longest waiting first. Each costs one lookup in two indexes. */
export async function findDue(db: Database, nowMs: number, most: number): Promise<Due[]> {
  const later = (seen: string, pushed: string) =>
    sql`case when ${sql.ref(seen)} > ${sql.ref(pushed)} then ${sql.ref(seen)} else ${sql.ref(pushed)} end`;
  const toldTo = (account: string) => decisionsToldTo(sql.ref(account), nowMs);
  const { rows } = await sql<Due>`
    select * from (
      select device_id, account_id, endpoint, p256dh, auth, tries, next_try_at_ms, push_excerpts,
        case when quiet_nights = 1 then coalesce(zone, '') end as quiet_zone,
        ${later('notifications_seen_id', 'pushed_notification_id')} as mark,
        ${later('decisions_seen_id', 'pushed_decision_id')} as decision_mark,
        (select max(notifications.id) from notifications
          where notifications.account_id = push_subscriptions.account_id) as newest,
        (select max(decision_accounts.decision_id)
          from ${toldTo('push_subscriptions.account_id')}) as newest_decision
      from push_subscriptions join accounts on accounts.id = push_subscriptions.account_id
      where next_try_at_ms <= ${nowMs}
    ) as found
    where newest > mark
        and (select created_at_ms from notifications where account_id = found.account_id and notifications.id > found.mark
          order by notifications.id limit 1) <= ${nowMs - waitMs}
      or newest_decision > decision_mark
        and exists (select 1 from ${toldTo('found.account_id')} and decision_accounts.decision_id > found.decision_mark
          and decisions.at_ms <= ${nowMs - waitMs})
    order by next_try_at_ms limit ${most}`.execute(db);
  return rows;
}

/** @returns whether a message was sent */
async function pushOne(services: PushServices, due: Due): Promise<boolean> {
  const { db, now, isPushService, pushRefusals, log } = services;
  if (!(await claim(services, due))) return false;
  const nowMs = now();
  const restSeconds =
    due.quiet_zone === null
      ? keptSeconds
      : secondsUntilNight(await zoneInForce(db, due.quiet_zone), nowMs);
  if (restSeconds === 0) {
    await change(services, due, { tries: due.tries, next_try_at_ms: nextQuarterMs(nowMs) });
    return false;
  }
  const url = URL.parse(due.endpoint);
  // The subscription of an account that is suspended, hidden or about to be erased ends. It can be made again later.
  if (!url || !isPushService(url) || (await findTold(db, due, nowMs)) !== 'all') {
    await remove(services, due);
    return false;
  }
  const payload = await makePayload(db, due, nowMs);
  if (payload === undefined || due.tries >= mostTries) {
    await settle(services, due);
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
  await record(services, due, result);
  return result.kind === 'sent';
}

async function findTold(db: Database, { account_id }: Due, nowMs: number) {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'hidden_by', 'disabled_at_ms', 'deletion_requested_at_ms', 'admission'])
    .where('id', '=', account_id)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  return account && toldNews(db, account, nowMs);
}

const upTo = ({ mark, newest, decision_mark, newest_decision }: Due) => ({
  notification: Math.max(mark, newest ?? 0),
  decision: newest_decision && newest_decision > decision_mark ? newest_decision : decision_mark,
});

/** @returns undefined when nothing is new and visible any more */
async function makePayload(db: Database, due: Due, nowMs: number): Promise<string | undefined> {
  const last = upTo(due);
  const range = { after: { notification: due.mark, decision: due.decision_mark }, upTo: last };
  const shown = { most: shownLines, isForDecisions: false, withoutThanks: true, nowMs };
  const news = await findNewsLines(db, due.account_id, range, '', shown);
  if (news.lines.length === 0) return undefined;
  const withExcerpt = due.push_excerpts === 1;
  const tag = `${last.notification} ${last.decision}`;
  return JSON.stringify(pushMessage(news, { withExcerpt, tag }));
}

function record(services: PushServices, due: Due, result: PushResult): Promise<void> {
  if (result.kind === 'gone') return remove(services, due);
  if (result.kind === 'sent') return settle(services, due);
  const waitedMs = Math.min(result.retryAfterMs, longestWaitMs);
  const next_try_at_ms = services.now() + Math.max(waitAfter(due.tries), waitedMs);
  return change(services, due, { next_try_at_ms });
}

const waitAfter = (tries: number) => Math.min(firstWaitMs * 2 ** tries, longestWaitMs);

/**
 * Stores the time of the next attempt before a message is sent: if nothing can be stored, as on a full disk, it would
 * otherwise be sent again and again.
 * @returns false when the subscription has ended, or another process has claimed it
 */
async function claim({ withTransaction, now }: PushServices, due: Due): Promise<boolean> {
  const { numUpdatedRows } = await withTransaction(`account ${due.account_id}`, (trx) =>
    trx
      .updateTable('push_subscriptions')
      .set({ tries: due.tries + 1, next_try_at_ms: now() + waitAfter(due.tries) })
      .where('device_id', '=', due.device_id)
      .where('endpoint', '=', due.endpoint)
      .where('next_try_at_ms', '=', due.next_try_at_ms)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

interface Changes {
  tries?: number;
  next_try_at_ms: number;
  pushed_notification_id?: number;
  pushed_decision_id?: string;
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

/** Records that the news of a range was pushed, or is not to be. */
function settle(services: PushServices, due: Due): Promise<void> {
  const { notification, decision } = upTo(due);
  return change(services, due, {
    ...{ tries: 0, next_try_at_ms: services.now() + betweenMs },
    ...{ pushed_notification_id: notification, pushed_decision_id: decision },
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
