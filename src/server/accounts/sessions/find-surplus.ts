import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

export interface Surplus {
  accountId: string;
  /** Only the sessions of this remembered browser. */
  deviceId?: string;
  keptId: string;
  /** How many there may be, the kept one included. */
  max: number;
}

/**
 * Finds what an account has too many of, sessions or remembered browsers: first those that were never
 * used after they were opened, then those used least recently. The time of use alone would choose one
 * that is in use, since it is recorded once an hour and each new one begins with the present time.
 * @returns ids, mostly none or one
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
