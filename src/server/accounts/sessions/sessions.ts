import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../../shared/accounts.ts';
import type { Role } from '../../../shared/moderation.ts';
import { classifyStorageError, DatabaseUnavailable } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { dayMs } from '../../times.ts';
import { hashToken } from '../hash-token.ts';
import { lockOpenAccount } from '../open-account.ts';
import { findRestriction, type Restriction } from '../restrictions.ts';
import { addDevice, type DeviceToken, endDevices, extendDevice, findDevice } from './devices.ts';
import { findSurplus, type Surplus } from './find-surplus.ts';
import { longestMs } from './session-times.ts';

/** Devices per transaction, so that other writes can run in between. */
const batchSize = 500;
/** How often the use of a session is recorded, after its first one. */
const recordMs = 3_600_000;
/** Sessions per account. A further one ends another, see `findSurplus`. */
export const maxSessions = 200;
/** Sessions per remembered browser, so that a stolen cookie cannot end those of other browsers. */
const maxTabs = maxSessions / 2;

export interface OpenedSession {
  /** 256 bits, stored only as a hash. */
  token: string;
  user: User;
  /** Set when the browser is remembered. */
  device?: DeviceToken;
}

export interface Session {
  user: User;
  id: string;
  /** The remembered browser that opened it. */
  deviceId: string | null;
  role: Role;
  /** Undefined while no decision restricts the account. */
  restriction: Restriction | undefined;
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
 * Opens a session of a remembered browser and extends it. Call it in a transaction.
 * @param cookie.accountId its account, from `findDevice`
 * @returns undefined when the cookie was replaced or the device has ended meanwhile, or the account was disabled
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
      token_hash: hashToken(token),
      id,
      account_id: accountId,
      device_id: deviceId,
      browser,
      created_at_ms: nowMs,
      last_used_at_ms: nowMs,
      expires_at_ms: endOf(nowMs, nowMs, sessionDays),
    })
    .execute();
  const bounds: Surplus[] = [{ accountId, keptId: id, max: maxSessions }];
  // The browser's own limit comes first, so that the account then has room.
  if (deviceId !== null) bounds.unshift({ accountId, deviceId, keptId: id, max: maxTabs });
  for (const bound of bounds) {
    const tooMany = await findSurplus(trx, 'sessions', bound);
    if (tooMany.length > 0) await trx.deleteFrom('sessions').where('id', 'in', tooMany).execute();
  }
  return token;
}

function endOf(createdMs: number, nowMs: number, sessionDays: number): number {
  return Math.min(nowMs + sessionDays * dayMs, createdMs + longestMs);
}

/**
 * Finds the session of a token, and writes its use, which extends it: the first use, which distinguishes it
 * from sessions never used after they were opened, and then one an hour.
 * @returns undefined when the token is unknown, ended or expired
 */
export async function findAndExtendSession(
  db: Database,
  token: string,
  nowMs: number,
  sessionDays: number,
): Promise<Session | undefined> {
  const tokenHash = hashToken(token);
  const row = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.img'])
    .select(['sessions.id as session_id', 'device_id', 'last_used_at_ms', 'expires_at_ms'])
    .select(['sessions.created_at_ms', 'accounts.role'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('decision_accounts')
          .select('decision_id')
          .whereRef('decision_accounts.account_id', '=', 'accounts.id'),
      ).as('has_decisions'),
    )
    .where('token_hash', '=', tokenHash)
    .where('accounts.disabled_at_ms', 'is', null)
    .where('accounts.erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row || row.expires_at_ms <= nowMs) return undefined;
  const { session_id, device_id, last_used_at_ms, expires_at_ms, created_at_ms, ...account } = row;
  const { role, has_decisions, ...user } = account;
  // The difference is absolute, so that a time recorded by a clock running ahead is corrected.
  const sinceMs = Math.abs(nowMs - last_used_at_ms);
  const isFirst = last_used_at_ms === created_at_ms;
  if (sinceMs >= recordMs || isFirst) {
    const createdMs = Math.min(created_at_ms, nowMs);
    const used = {
      created_at_ms: createdMs,
      last_used_at_ms: nowMs,
      expires_at_ms: endOf(createdMs, nowMs, sessionDays),
    };
    await ignoringStorage(async () => {
      await db.updateTable('sessions').set(used).where('token_hash', '=', tokenHash).execute();
      if (device_id !== null) await extendDevice(db, device_id, nowMs);
    });
  }
  const restriction = has_decisions ? await findRestriction(db, user.id, nowMs) : undefined;
  return { user, id: session_id, deviceId: device_id, role, restriction };
}

/** Ignores a failed write, so that reading works with a full or read-only disk; the next use retries. */
async function ignoringStorage(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable || classifyStorageError(error))) throw error;
  }
}

/** Ends a session, and with it the remembered browser that opened it. Call it in a transaction. */
export async function endSession(trx: Database, { user, id, deviceId }: Session): Promise<void> {
  if (deviceId !== null) return endDevices(trx, [deviceId]);
  await trx.deleteFrom('sessions').where('account_id', '=', user.id).where('id', '=', id).execute();
}

/**
 * Ends all sessions of an account, and its remembered browsers. Call it in a transaction, with the
 * account's row locked.
 * @param current the session of the caller, which stays, with its browser
 * @returns the number of entries of the session list that have ended
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
  const withoutDevice = sessions.filter(({ device_id }) => device_id === null);
  return Number(devices.numDeletedRows) + withoutDevice.length;
}

/** Deletes expired remembered browsers with all sessions that they opened. */
export async function deleteExpiredDevices({
  transact,
  now,
}: {
  transact: Transact;
  now: () => number;
}): Promise<void> {
  for (;;) {
    const expired = await transact('expired devices', async (trx) => {
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
