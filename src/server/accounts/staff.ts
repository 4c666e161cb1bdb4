import { isPostgres } from '../database/is-postgres.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { findRestricted } from './restrictions.ts';

/** Accounts that one community can make moderators and admins without a list of them becoming slow. */
export const maxStaff = 1000;

/**
 * Locks the rows of all moderators and admins, and of another account, in the order of their ids, so that changes of
 * roles run one after the other.
 * @returns them, without erased ones
 */
export async function lockStaff(trx: Database, ...accountIds: string[]) {
  const staff = await trx
    .selectFrom('accounts')
    .select('id')
    .where('role', '<>', 'member')
    .limit(maxStaff)
    .execute();
  const query = trx
    .selectFrom('accounts')
    .select(['id', 'role', 'disabled_at_ms', 'deletion_at_ms', 'admission'])
    .where('id', 'in', [...staff.map(({ id }) => id), ...accountIds])
    .where('erased_at_ms', 'is', null)
    .orderBy('id');
  return (isPostgres(trx) ? query.forNoKeyUpdate() : query).execute();
}

/** @param staff from `lockStaff` @throws ApiError `last_admin` when nobody else could administer the forum */
export async function requireOtherAdmin(
  trx: Database,
  staff: Awaited<ReturnType<typeof lockStaff>>,
  accountId: string,
  nowMs: number,
): Promise<void> {
  const admins = staff.filter(({ role }) => role === 'admin');
  if (!admins.some(({ id }) => id === accountId)) return;
  const others = admins
    .filter((one) => one.disabled_at_ms === null && one.deletion_at_ms === null)
    .map(({ id }) => id)
    .filter((id) => id !== accountId);
  const restricted = await findRestricted(trx, others, nowMs);
  if (restricted.size === others.length) throw new ApiError('last_admin');
}
