import type { SessionInfo } from '../../../shared/account-settings.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { browserName } from './browser-name.ts';
import { endDevices, maxDevices } from './devices.ts';
import type { Session } from './session-guard.ts';
import { maxSessions } from './sessions.ts';

/**
 * Lists where an account is signed in: each remembered browser with all its tabs, and each other session. The caller's
 * own entry comes first, then the most recently used. The limits on both bound the length.
 * @param current the caller's session
 */
export async function readSessions(
  db: Database,
  accountId: string,
  nowMs: number,
  current: Session,
): Promise<SessionInfo[]> {
  const currentId = current.deviceId ?? current.id;
  const devices = await db
    .selectFrom('devices')
    .select(['id', 'browser', 'created_at_ms', 'last_used_at_ms'])
    .where('account_id', '=', accountId)
    .where('expires_at_ms', '>', nowMs)
    .orderBy('last_used_at_ms', 'desc')
    .limit(maxDevices)
    .execute();
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'browser', 'created_at_ms', 'last_used_at_ms'])
    .where('account_id', '=', accountId)
    .where('device_id', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .orderBy('last_used_at_ms', 'desc')
    .limit(maxSessions)
    .execute();
  const listed = [
    ...devices.map((device) => ({ ...device, isRemembered: true })),
    ...sessions.map((session) => ({ ...session, isRemembered: false })),
  ].map((one) => ({
    id: one.id,
    browser: one.browser || browserName(undefined),
    createdAt: toInstant(one.created_at_ms),
    lastUsedAt: toInstant(one.last_used_at_ms),
    isCurrent: one.id === currentId,
    isRemembered: one.isRemembered,
  }));
  const byUse = (one: SessionInfo, other: SessionInfo) =>
    Number(other.isCurrent) - Number(one.isCurrent) ||
    other.lastUsedAt.localeCompare(one.lastUsedAt) ||
    other.id.localeCompare(one.id);
  return listed.sort(byUse);
}

/**
 * Ends one entry of the list, possibly the caller's own. Call it in a transaction.
 * @returns false when the account has no such entry
 */
export async function endListed(
  trx: Database,
  accountId: string,
  listedId: string,
): Promise<boolean> {
  const device = await trx
    .selectFrom('devices')
    .select('id')
    .where('id', '=', listedId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (device) {
    await endDevices(trx, [device.id]);
    return true;
  }
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', '=', listedId)
    .where('account_id', '=', accountId)
    .where('device_id', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
