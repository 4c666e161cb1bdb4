import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { restrictionsInForce } from './restrictions.ts';

/**
 * SQL condition on `accounts`: it may sign in and read as a member. Accounts that are disabled, wait for approval, were
 * refused, are hidden as a whole, suspended or about to be erased are none; silenced ones are.
 */
export const isMember = (db: Database, nowMs: number) => sql<SqlBool>`(accounts.erased_at_ms is null
  and accounts.disabled_at_ms is null and accounts.hidden_by is null
  and accounts.deletion_requested_at_ms is null and not exists ${restrictionsInForce(db, nowMs)
    .select('decision_id')
    .where('action', '=', 'suspend')
    .where('account_id', '=', sql.ref<string>('accounts.id'))})`;
