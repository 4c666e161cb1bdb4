import { hash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../database/tables.ts';
import { dayMs } from '../../system/times.ts';
import { findSurplus } from './find-surplus.ts';
import { longestMs } from './session-times.ts';

/** How long a browser stays signed in after its last use. */
const deviceMs = 90 * dayMs;
/** Maximum number of remembered browsers per account. Adding another ends one of them, see `findSurplus`. */
export const maxDevices = 20;

/** The cookie of a remembered browser. */
export interface DeviceToken {
  /** 256 bits, stored only as a hash. */
  value: string;
  maxAgeMs: number;
}

/** Stores a remembered browser. Call it with the account's row locked. */
export async function addDevice(
  trx: Database,
  { accountId, browser }: { accountId: string; browser: string },
  nowMs: number,
): Promise<DeviceToken & { id: string }> {
  const value = randomBytes(32).toString('base64url');
  const id = uuidv7();
  await trx
    .insertInto('devices')
    .values({
      id,
      token_hash: hash('sha256', value, 'base64url'),
      account_id: accountId,
      browser,
      created_at_ms: nowMs,
      last_used_at_ms: nowMs,
      expires_at_ms: nowMs + deviceMs,
    })
    .execute();
  await endDevices(
    trx,
    await findSurplus(trx, 'devices', { accountId, keptId: id, max: maxDevices }),
  );
  return { id, value, maxAgeMs: deviceMs };
}

/** @returns undefined when the value is unknown, ended or expired */
export async function findDevice(
  db: Database,
  value: string,
  nowMs: number,
): Promise<{ id: string; accountId: string } | undefined> {
  const row = await db
    .selectFrom('devices')
    .select(['id', 'account_id', 'expires_at_ms'])
    .where('token_hash', '=', hash('sha256', value, 'base64url'))
    .executeTakeFirst();
  return row && row.expires_at_ms > nowMs ? { id: row.id, accountId: row.account_id } : undefined;
}

/**
 * Extends the lifetime of a remembered browser in use.
 * @returns the remaining lifetime in milliseconds; undefined when it has ended
 */
export async function extendDevice(
  db: Database,
  id: string,
  nowMs: number,
): Promise<number | undefined> {
  const device = await db
    .selectFrom('devices')
    .select(['created_at_ms', 'expires_at_ms'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!device || device.expires_at_ms <= nowMs) return undefined;
  const endsMs = Math.min(nowMs + deviceMs, device.created_at_ms + longestMs);
  const { numUpdatedRows } = await db
    .updateTable('devices')
    .set({ last_used_at_ms: nowMs, expires_at_ms: endsMs })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? endsMs - nowMs : undefined;
}

/**
 * Replaces the cookie of a remembered browser and ends all of its sessions except one, so that a copy of the old cookie
 * is useless. Other tabs resume with the new cookie. Call it with the account's row locked.
 * @returns undefined when the remembered browser has ended
 */
export async function renewDevice(
  trx: Database,
  { id, keptId }: { id: string; keptId: string },
  nowMs: number,
): Promise<DeviceToken | undefined> {
  const value = randomBytes(32).toString('base64url');
  const maxAgeMs = await extendDevice(trx, id, nowMs);
  if (maxAgeMs === undefined) return undefined;
  await trx
    .updateTable('devices')
    .set({ token_hash: hash('sha256', value, 'base64url') })
    .where('id', '=', id)
    .execute();
  await trx.deleteFrom('sessions').where('device_id', '=', id).where('id', '!=', keptId).execute();
  return { value, maxAgeMs };
}

/** Deletes remembered browsers and the sessions opened by them. Call it in a transaction. */
export async function endDevices(trx: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.deleteFrom('devices').where('id', 'in', ids).execute();
  await trx.deleteFrom('sessions').where('device_id', 'in', ids).execute();
}
