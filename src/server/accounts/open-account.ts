import { expressionBuilder } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';

/**
 * For the RETURNING of a statement that stores something of an account: `open_account` is null when the
 * account was disabled or erased since its session was checked, by a process that stood still meanwhile.
 */
export function openAccount(accountId: string) {
  return expressionBuilder<Tables>()
    .selectFrom('accounts')
    .select('accounts.id')
    .where('accounts.id', '=', accountId)
    .where('accounts.disabled_at_ms', 'is', null)
    .where('accounts.erased_at_ms', 'is', null)
    .as('open_account');
}

/**
 * Call it in the transaction of the statement, which the error rolls back.
 * @param row what the statement returned; undefined when it stored nothing
 * @throws ApiError `not_signed_in`
 */
export function requireOpenAccount(row: { open_account: string | null } | undefined): void {
  if (row?.open_account === null) throw new ApiError('not_signed_in');
}
