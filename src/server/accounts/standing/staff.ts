import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { restrictionsInForce } from './restrictions.ts';

/** Accounts that one community can make moderators and admins without a list of them becoming slow. */
const maxStaff = 1000;

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
  return trx
    .selectFrom('accounts')
    .select(['id', 'role', 'disabled_at_ms', 'admission'])
    .where('id', 'in', [...staff.map(({ id }) => id), ...accountIds])
    .where('erased_at_ms', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Moderators and admins who can act: neither disabled, nor kept from writing, nor about to be erased. */
export function activeStaff(db: Database, nowMs: number) {
  return db
    .selectFrom('accounts')
    .select(['id', 'role'])
    .where('role', '<>', 'member')
    .where('disabled_at_ms', 'is', null)
    .where('deletion_at_ms', 'is', null)
    .where(({ not, exists }) => {
      const id = sql.ref<string>('accounts.id');
      const ofAccount = restrictionsInForce(db, nowMs).where('account_id', '=', id);
      return not(exists(ofAccount.select('decision_id')));
    })
    .limit(maxStaff)
    .execute();
}

/** @param staff from `lockStaff` @throws ApiError `last_admin` when nobody else could administer the forum */
export async function requireOtherAdmin(
  trx: Database,
  staff: Awaited<ReturnType<typeof lockStaff>>,
  accountId: string,
  nowMs: number,
): Promise<void> {
  if (staff.find(({ id }) => id === accountId)?.role !== 'admin') return;
  const active = await activeStaff(trx, nowMs);
  if (!active.some(({ id, role }) => role === 'admin' && id !== accountId))
    throw new ApiError('last_admin');
}
