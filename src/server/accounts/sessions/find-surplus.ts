import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

export interface Surplus {
  accountId: string;
  /** Restricts the search to sessions of this remembered browser. */
  deviceId?: string;
  keptId: string;
  /** Maximum number, including the kept one. */
  max: number;
}

/**
 * Finds the sessions or remembered browsers of an account beyond `max`: first those never used after they were opened,
 * then the least recently used. The time of use alone could choose one in use, because it is recorded once an hour and
 * new ones start with the current time.
 * @returns ids, usually none or one
 */
export async function findSurplus(
  trx: Database,
  table: 'sessions' | 'devices',
  { accountId, deviceId, keptId, max }: Surplus,
): Promise<string[]> {
  const rows = await trx
    .selectFrom(table as 'devices')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '!=', keptId)
    .$if(deviceId !== undefined, (query) => query.where(sql.ref('device_id'), '=', deviceId ?? ''))
    .orderBy((eb) => eb('last_used_at_ms', '>', eb.ref('created_at_ms')), 'desc')
    .orderBy('last_used_at_ms', 'desc')
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
    .offset(max - 1)
    .execute();
  return rows.map(({ id }) => id);
}
