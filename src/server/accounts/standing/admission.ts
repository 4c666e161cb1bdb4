import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { trashMs } from '../../system/times.ts';
import { asSentence } from './restrictions.ts';

/*
 * An account that waits for approval is disabled like one that the operator disables, so that no way to sign in works,
 * and is erased 30 days after it was requested or refused. `admission` distinguishes it from other disabled accounts.
 */

/** Columns of an account that waits for approval, besides being disabled. */
export const waiting = (nowMs: number) => ({
  admission: 'pending' as const,
  refused_by: null,
  deletion_at_ms: nowMs + trashMs,
  deletion_content: 'erase',
});

/** Columns of an account that is let in, which also approves it. */
export const letIn = (nowMs: number) => ({
  approved_at_ms: nowMs,
  admission: null,
  about: '',
  refused_by: null,
  disabled_at_ms: null,
  deletion_at_ms: null,
  deletion_content: null,
});

/** Once the operator has requested the erasure of a waiting account, no decision changes when it is erased. */
const isNotToBeErased = sql<SqlBool>`(deletion_requested_at_ms is null and erased_at_ms is null)`;
/** Whether moderators may let an account in or refuse it, as a condition on `accounts`. */
export const isWaiting = sql<SqlBool>`(admission = 'pending' and ${isNotToBeErased})`;

/** Lets in an account that waits for approval. @returns whether it was waiting */
export async function admit(trx: Database, accountId: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set(letIn(nowMs))
    .where('id', '=', accountId)
    .where(isWaiting)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Refuses the accounts among these that wait for approval. @returns whether any was waiting */
export async function refuse(
  trx: Database,
  decisionId: string,
  accountIds: string[],
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ ...waiting(nowMs), admission: 'refused', about: '', refused_by: decisionId })
    .where('id', 'in', accountIds)
    .where(isWaiting)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Makes the accounts that a decision refused wait for approval again, unless they are erased or about to be. If another
 * decision hides them, it now counts as the one that refuses them.
 */
export async function unrefuse(
  trx: Database,
  decisionId: string,
  accountIds: string[],
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ refused_by: eb.ref('hidden_by') }))
    .where('id', 'in', accountIds)
    .where('refused_by', '=', decisionId)
    .where('hidden_by', 'is not', null)
    .execute();
  await trx
    .updateTable('accounts')
    .set(waiting(nowMs))
    .where('id', 'in', accountIds)
    .where('refused_by', '=', decisionId)
    .where(isNotToBeErased)
    .execute();
}

/**
 * The error for a sign-in with the right password to a disabled account: that it waits for approval, or why it was
 * refused.
 */
export async function disabledError(db: Database, accountId: string): Promise<ApiError> {
  const account = await db
    .selectFrom('accounts')
    .leftJoin('decisions', 'decisions.id', 'refused_by')
    .select(['admission', 'deletion_at_ms', 'reason'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  if (account?.admission === 'pending') return new ApiError('awaiting_approval');
  if (account?.admission !== 'refused') return new ApiError('account_disabled');
  const { reason, deletion_at_ms } = account;
  const why = reason ? ` Motivo: ${asSentence(reason)}` : '';
  return new ApiError('refused', {
    detail: `El equipo de moderación no ha aceptado tu solicitud de cuenta.${why} Se borrará el ${dayText(deletion_at_ms ?? 0)}.`,
  });
}

/** Formats a day in words, without the hour, since the reader's time zone is not known here. */
function dayText(ms: number): string {
  return new Date(ms).toLocaleDateString('es', { dateStyle: 'long', timeZone: 'UTC' });
}
