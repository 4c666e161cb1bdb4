import { sql } from 'kysely';
import type { NotificationSettings } from '../../shared/notification-settings.ts';
import { browserName } from '../accounts/sessions/browser-name.ts';
import type { Session } from '../accounts/sessions/session-guard.ts';
import { lockSignedIn } from '../accounts/standing/open-account.ts';
import { type Database, toInstant } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { zoneInForce } from '../site-settings/site-settings.ts';
import type { Config } from '../system/settings/config.ts';
import { knownZone } from '../system/zones.ts';
import { pushKeys } from './push-keys.ts';
import type { Subscriber } from './web-push.ts';

/** Maximum number of browsers of an account that are pushed to. Adding another ends the oldest. */
export const maxSubscriptions = 10;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/** Whether the site can push: browsers and push services require https. */
export const canPush = ({ publicUrl }: Pick<Config, 'publicUrl'>) =>
  publicUrl?.startsWith('https:') === true;

/**
 * Starts pushing what is new from now on to the browser of a session, in place of its former subscription. When the
 * account has too many, the oldest ends.
 * @throws ApiError `browser_not_remembered`, `not_signed_in`
 */
export async function addSubscription(
  { withTransaction, now }: Services,
  session: Session,
  { endpoint, p256dh, auth }: Subscriber,
): Promise<void> {
  const { deviceId, user } = session;
  if (deviceId === null) throw new ApiError('browser_not_remembered');
  await withTransaction(`account ${user.id}`, async (trx) => {
    await lockSignedIn(trx, session);
    await trx.deleteFrom('push_subscriptions').where('device_id', '=', deviceId).execute();
    const row = {
      device_id: deviceId,
      account_id: user.id,
      endpoint,
      p256dh,
      auth,
      created_at_ms: now(),
      next_try_at_ms: null,
      tries: 0,
      pushed_notification_id: sql<number>`(select coalesce(max(id), 0) from notifications
        where account_id = ${user.id})`,
    };
    // The endpoint may be another account's, which used this browser before, or adds it at this moment.
    await trx
      .insertInto('push_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
      .execute();
    const surplus = await trx
      .selectFrom('push_subscriptions')
      .select('device_id')
      .where('account_id', '=', user.id)
      .where('device_id', '!=', deviceId)
      .orderBy('created_at_ms', 'desc')
      .orderBy('device_id', 'desc')
      .limit(maxSubscriptions)
      .offset(maxSubscriptions - 1)
      .execute();
    for (const { device_id } of surplus)
      await trx.deleteFrom('push_subscriptions').where('device_id', '=', device_id).execute();
  });
}

/** Ends a subscription of the account, if it has it. */
export async function removeSubscription(
  { withTransaction }: Pick<Services, 'withTransaction'>,
  accountId: string,
  endpoint: string,
): Promise<void> {
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .deleteFrom('push_subscriptions')
      .where('account_id', '=', accountId)
      .where('endpoint', '=', endpoint)
      .execute(),
  );
}

type PushSettings = NonNullable<NotificationSettings['push']>;

/** Reads how an account is pushed to. @returns null when the site cannot push */
export async function readPushSettings(
  { db, config }: Pick<Services, 'db'> & { config: Pick<Config, 'publicUrl'> },
  { user, deviceId }: Pick<Session, 'user' | 'deviceId'>,
): Promise<PushSettings | null> {
  if (!canPush(config)) return null;
  const { publicKey } = await pushKeys(db);
  const { push_excerpts, quiet_nights, zone } = await db
    .selectFrom('accounts')
    .select(['push_excerpts', 'quiet_nights', 'zone'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  const devices = await db
    .selectFrom('push_subscriptions')
    .innerJoin('devices', 'devices.id', 'push_subscriptions.device_id')
    .select(['device_id', 'browser', 'push_subscriptions.created_at_ms'])
    .where('push_subscriptions.account_id', '=', user.id)
    .orderBy('push_subscriptions.created_at_ms')
    .execute();
  return {
    key: publicKey,
    devices: devices.map(({ device_id, browser, created_at_ms }) => ({
      browser: browser || browserName(undefined),
      createdAt: toInstant(created_at_ms),
      isCurrent: device_id === deviceId,
    })),
    excerpts: push_excerpts === 1,
    quietZone: quiet_nights === 1 ? await zoneInForce(db, zone) : null,
  };
}

/** Changes how an account is pushed to. What waits for the morning is due at once. */
export async function changePushSettings(
  { withTransaction, now }: Services,
  accountId: string,
  { excerpts, quietZone }: Partial<Pick<PushSettings, 'excerpts' | 'quietZone'>>,
): Promise<void> {
  const changes = {
    ...(excerpts !== undefined && { push_excerpts: Number(excerpts) }),
    ...(quietZone !== undefined && { quiet_nights: quietZone === null ? 0 : 1 }),
    // An empty one is the community's.
    ...(typeof quietZone === 'string' && { zone: knownZone(quietZone) ?? null }),
  };
  if (Object.keys(changes).length === 0) return;
  await withTransaction(`account ${accountId}`, async (trx) => {
    await trx
      .updateTable('accounts')
      .set(changes)
      .where('id', '=', accountId)
      .where('erased_at_ms', 'is', null)
      .execute();
    await trx
      .updateTable('push_subscriptions')
      .set({ next_try_at_ms: now() })
      .where('account_id', '=', accountId)
      .where('tries', '=', 0)
      .execute();
  });
}
