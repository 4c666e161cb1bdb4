import type { Database } from '../database/tables.ts';

/**
 * Finds what an account has too many of, sessions or remembered browsers: first those that were never
 * used after they were opened, then those used least recently. The time of use alone would choose one
 * that is in use, since it is recorded once an hour and each new one begins with the present time.
 * @param max how many it may have, the kept one included
 * @returns ids, mostly none or one
 */
export async function findSurplus(
  trx: Database,
  table: 'sessions' | 'devices',
  { accountId, keptId, max }: { accountId: string; keptId: string; max: number },
): Promise<string[]> {
  const rows = await trx
    .selectFrom(table as 'devices')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '!=', keptId)
    .orderBy((eb) => eb('last_used_at_ms', '>', eb.ref('created_at_ms')), 'desc')
    .orderBy('last_used_at_ms', 'desc')
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(max)
    .offset(max - 1)
    .execute();
  return rows.map(({ id }) => id);
}
