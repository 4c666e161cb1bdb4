import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { binMs } from '../times.ts';
import { asSentence, dateText } from './restrictions.ts';

/*
 * An account that asked to be let in is disabled like those that the operator disables, so that no way into an account
 * opens it; `admission` says why, `disabled` when the operator disabled it before it was let in.
 */

/** Lets an account in that asked for it. @returns whether it was waiting */
export async function admit(trx: Database, accountId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ admission: null, disabled_at_ms: null, deletion_at_ms: null })
    .where('id', '=', accountId)
    .where('admission', '=', 'pending')
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Refuses the accounts that asked to be let in, of those with these ids. @returns whether any was waiting */
export async function refuse(trx: Database, accountIds: string[], nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('accounts')
    .set({ admission: 'refused', refused_at_ms: nowMs })
    .where('id', 'in', accountIds)
    .where('admission', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets the accounts wait again that a decision refused, of those with these ids, unless they are erased. */
export async function unrefuse(
  trx: Database,
  decisionId: string,
  accountIds: string[],
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({
      // The operator disabled it after the refusal.
      admission: sql`case when disabled_at_ms > refused_at_ms then 'disabled' else 'pending' end`,
      ...{ refused_at_ms: null, deletion_at_ms: null },
    })
    .where('id', 'in', accountIds)
    .where('admission', '=', 'refused')
    // Another decision may have refused some of them before.
    .where('refused_at_ms', '=', ({ selectFrom }) =>
      selectFrom('decisions').select('at_ms').where('decisions.id', '=', decisionId),
    )
    .where('erased_at_ms', 'is', null)
    .execute();
}

/** The error of a sign-in with the right password: what comes next, or why the account was refused. */
export async function admissionError(db: Database, accountId: string): Promise<ApiError> {
  const account = await db
    .selectFrom('accounts')
    .select((eb) => [
      'admission',
      'refused_at_ms',
      eb
        .selectFrom('decision_accounts')
        .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
        .select('reason')
        .whereRef('decision_accounts.account_id', '=', 'accounts.id')
        .where('action', 'in', ['reject', 'hideAll'])
        .where('undone_at_ms', 'is', null)
        .orderBy('decision_id', 'desc')
        .limit(1)
        .as('reason'),
    ])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (account?.admission === 'disabled') return new ApiError('account_disabled');
  if (!account || account.refused_at_ms === null) return new ApiError('awaiting_approval');
  const { reason, refused_at_ms } = account;
  const why = reason ? ` Motivo: ${asSentence(reason)}` : '';
  const end = dateText(refused_at_ms + binMs);
  return new ApiError('refused', {
    detail: `Quienes moderan no han dado paso a tu cuenta.${why} Se borrará el ${end}.`,
  });
}
