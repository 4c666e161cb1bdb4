import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { decisionsInForce } from './restrictions.ts';

/**
 * SQL condition on `accounts`: it may sign in and read as a member. Accounts that are disabled, wait for approval, were
 * refused, are hidden as a whole, suspended or about to be erased are none; silenced ones are.
 */
export const isMember = (db: Database, nowMs: number) => {
  const suspended = decisionsInForce(db)
    .select('account_id')
    // A constant, so that the index of suspensions is used.
    .where(sql<SqlBool>`decisions.action = 'suspend'`)
    .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]));
  return sql<SqlBool>`(accounts.erased_at_ms is null and accounts.disabled_at_ms is null
    and accounts.hidden_by is null and accounts.deletion_requested_at_ms is null
    and accounts.id not in ${suspended})`;
};
