import { hash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../../shared/accounts.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { lockOpenAccount } from '../standing/open-account.ts';
import { addDevice, type DeviceToken, endDevices, extendDevice, findDevice } from './devices.ts';
import { findSurplus, type Surplus } from './find-surplus.ts';
import type { Session } from './session-guard.ts';
import { endOfSession } from './session-times.ts';

/** Remembered browsers deleted per transaction, so that other writes can run in between. */
const batchSize = 500;
/** Maximum number of sessions per account. Opening another ends one of them, see `findSurplus`. */
export const maxSessions = 200;
/** Maximum number of sessions per remembered browser, so that a stolen cookie cannot end those of other browsers. */
const maxTabs = maxSessions / 2;

export interface OpenedSession {
  /** 256 bits, stored only as a hash. */
  token: string;
  user: User;
  /** Set when the browser is remembered. */
  device?: DeviceToken;
}

/**
 * Opens a session, unless the account was disabled or its password changed. Call it in a transaction.
 * @param account.passwordHash the hash that the password was verified against; undefined skips the check
 * @param account.browser from `browserName`
 * @returns undefined when no session was opened
 */
export async function openSession(
  trx: Database,
  account: { accountId: string; passwordHash?: string; browser: string; isRemembered?: boolean },
  nowMs: number,
  sessionDays: number,
): Promise<OpenedSession | undefined> {
  const { accountId, passwordHash, browser, isRemembered = false } = account;
  const locked = await lockOpenAccount(trx, 'id', accountId);
  if (!locked || (passwordHash !== undefined && passwordHash !== locked.passwordHash)) {
    return undefined;
  }
  const { user } = locked;
  const device = isRemembered ? await addDevice(trx, { accountId, browser }, nowMs) : undefined;
  const token = await addSession(
    trx,
    { accountId, browser, deviceId: device?.id ?? null },
    nowMs,
    sessionDays,
  );
  if (!device) return { token, user };
  return { token, user, device: { value: device.value, maxAgeMs: device.maxAgeMs } };
}

/**
 * Opens a session for a remembered browser and extends the latter. Call it in a transaction.
 * @param cookie.accountId its account, from `findDevice`
 * @returns undefined when the cookie was replaced or the remembered browser ended in the meantime, or the account was
 * disabled
 */
export async function resumeSession(
  trx: Database,
  cookie: { value: string; accountId: string; browser: string },
  nowMs: number,
  sessionDays: number,
): Promise<(Omit<OpenedSession, 'device'> & { maxAgeMs: number }) | undefined> {
  const { value, accountId, browser } = cookie;
  const locked = await lockOpenAccount(trx, 'id', accountId);
  const device = locked && (await findDevice(trx, value, nowMs));
  const maxAgeMs = device && (await extendDevice(trx, device.id, nowMs));
  if (!locked || !device || maxAgeMs === undefined) return undefined;
  const session = { accountId, browser, deviceId: device.id };
  const token = await addSession(trx, session, nowMs, sessionDays);
  return { token, user: locked.user, maxAgeMs };
}

async function addSession(
  trx: Database,
  session: { accountId: string; browser: string; deviceId: string | null },
  nowMs: number,
  sessionDays: number,
): Promise<string> {
  const { accountId, browser, deviceId } = session;
  const token = randomBytes(32).toString('base64url');
  const id = uuidv7();
  await trx
    .insertInto('sessions')
    .values({
      token_hash: hash('sha256', token, 'base64url'),
      id,
      account_id: accountId,
      device_id: deviceId,
      browser,
      created_at_ms: nowMs,
      last_used_at_ms: nowMs,
      expires_at_ms: endOfSession(nowMs, nowMs, sessionDays),
    })
    .execute();
  const bounds: Surplus[] = [{ accountId, keptId: id, max: maxSessions }];
  // Apply the limit of the browser first: the sessions it deletes no longer count towards that of the account.
  if (deviceId !== null) bounds.unshift({ accountId, deviceId, keptId: id, max: maxTabs });
  for (const bound of bounds) {
    const tooMany = await findSurplus(trx, 'sessions', bound);
    if (tooMany.length > 0) await trx.deleteFrom('sessions').where('id', 'in', tooMany).execute();
  }
  return token;
}

/** Ends a session, and the remembered browser that opened it. Call it in a transaction. */
export async function endSession(trx: Database, { user, id, deviceId }: Session): Promise<void> {
  if (deviceId !== null) return endDevices(trx, [deviceId]);
  await trx.deleteFrom('sessions').where('account_id', '=', user.id).where('id', '=', id).execute();
}

/**
 * Ends all sessions and remembered browsers of an account. Call it in a transaction, with the account's row locked.
 * @param current the caller's session, which stays with its browser
 * @returns the number of session list entries that have ended
 */
export async function endSessions(
  trx: Database,
  accountId: string,
  current?: Pick<Session, 'id' | 'deviceId'>,
): Promise<number> {
  const devices = await trx
    .deleteFrom('devices')
    .where('account_id', '=', accountId)
    .$if(current?.deviceId != null, (query) => query.where('id', '!=', current?.deviceId as string))
    .executeTakeFirst();
  const sessions = await trx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .$if(current !== undefined, (query) =>
      query.where((eb) =>
        eb.and([
          eb('id', '!=', current?.id ?? ''),
          eb.or([eb('device_id', 'is', null), eb('device_id', '!=', current?.deviceId ?? '')]),
        ]),
      ),
    )
    .returning('device_id')
    .execute();
  if (current) {
    // Somebody may have copied the cookie. The next call with the token sets another.
    for (const table of ['devices', 'sessions'] as const)
      await trx
        .updateTable(table)
        .set({ reader_hash: null })
        .where('account_id', '=', accountId)
        .execute();
  }
  const withoutDevice = sessions.filter(({ device_id }) => device_id === null);
  return Number(devices.numDeletedRows) + withoutDevice.length;
}

/** Deletes expired remembered browsers with all sessions opened by them. */
export async function deleteExpiredDevices({
  withTransaction,
  now,
}: {
  withTransaction: WithTransaction;
  now: () => number;
}): Promise<void> {
  for (;;) {
    const expired = await withTransaction('expired devices', async (trx) => {
      const rows = await trx
        .selectFrom('devices')
        .select('id')
        .where('expires_at_ms', '<=', now())
        .limit(batchSize)
        .execute();
      await endDevices(
        trx,
        rows.map(({ id }) => id),
      );
      return rows;
    });
    if (expired.length < batchSize) return;
  }
}
