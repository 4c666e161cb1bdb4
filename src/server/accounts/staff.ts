import { isPostgres } from '../database/is-postgres.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';

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
export function requireOtherAdmin(
  staff: Awaited<ReturnType<typeof lockStaff>>,
  accountId: string,
): void {
  const open = staff.filter(
    (one) => one.role === 'admin' && one.disabled_at_ms === null && one.deletion_at_ms === null,
  );
  const isAdmin = staff.some(({ id, role }) => id === accountId && role === 'admin');
  if (isAdmin && !open.some(({ id }) => id !== accountId)) throw new ApiError('last_admin');
}

/** Said to the operator while there is no admin. */
export const noAdmin = 'Nobody administers the forum yet: tertulia admin role EMAIL admin';

/** Whether an account that is not disabled administers the forum. */
export async function hasAdmin(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('role', '<>', 'member')
    .where('role', '=', 'admin')
    // Erased ones are disabled too.
    .where('disabled_at_ms', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
