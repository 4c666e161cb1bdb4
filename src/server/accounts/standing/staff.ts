import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { dayMs } from '../../system/times.ts';
import { restrictionsInForce } from './restrictions.ts';

/** Maximum number of moderators and admins read, so that queries of them stay fast. */
const maxStaff = 1000;

/**
 * Locks the rows of all moderators and admins, and of these other accounts, in the order of their ids, so that role
 * changes run one after the other.
 * @returns the locked accounts, without erased ones
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
    .select(['id', 'role', 'disabled_at_ms', 'admission', 'refused_by'])
    .where('id', 'in', [...staff.map(({ id }) => id), ...accountIds])
    .where('erased_at_ms', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Moderators and admins who can act: not disabled, restricted or about to be erased. */
export function activeStaff(db: Database, nowMs: number) {
  return db
    .selectFrom('accounts')
    .select(['id', 'role', 'created_at_ms'])
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

/** How long one person may administer alone before others are asked to share it. */
const aloneMs = 30 * dayMs;

/** Whether only one account can act as admin, which has been open for a month. */
export async function isOneAdminAlone(db: Database, nowMs: number): Promise<boolean> {
  const admins = (await activeStaff(db, nowMs)).filter(({ role }) => role === 'admin');
  const [admin, other] = admins;
  return admin !== undefined && other === undefined && admin.created_at_ms <= nowMs - aloneMs;
}

/** @param staff from `lockStaff` @throws ApiError `last_admin` when no other admin could act */
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
