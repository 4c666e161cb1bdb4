import { deleteModeratorLinks } from '../../accounts/recovery/password-links.ts';
import { endSessions } from '../../accounts/sessions/sessions.ts';
import { letIn } from '../../accounts/standing/admission.ts';
import { lockStaff, requireOtherAdmin } from '../../accounts/standing/staff.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { type Actor, audited } from '../actor.ts';

const actionOn = (id: string, action: string) => ({
  lockKey: `account ${id}`,
  action,
  subject: id,
});

/** Prevents the account from signing in. @throws ApiError `user_not_found`, also when it is erased; `last_admin` */
export const disableAccount = (actor: Actor, accountId: string) =>
  setDisabled(actor, actionOn(accountId, 'disable-account'), actor.now());

/** Lets the account sign in again. @throws ApiError `user_not_found`, also when it is erased */
export const enableAccount = (actor: Actor, accountId: string) =>
  setDisabled(actor, actionOn(accountId, 'enable-account'), null);

function setDisabled(
  actor: Actor,
  entry: ReturnType<typeof actionOn>,
  disabled_at_ms: number | null,
): Promise<void> {
  const accountId = entry.subject;
  return audited(actor, entry, async (trx, announce) => {
    const staff = await lockStaff(trx, accountId);
    const account = staff.find(({ id }) => id === accountId);
    if (!account) throw new ApiError('user_not_found');
    if (disabled_at_ms !== null) await requireOtherAdmin(trx, staff, accountId, disabled_at_ms);
    await trx
      .updateTable('accounts')
      .set({
        disabled_at_ms,
        // Enabling an account that waits for approval lets it in. Disabling refuses it: no moderator can let it in.
        ...(account.admission !== null &&
          (disabled_at_ms === null
            ? letIn(actor.now())
            : { admission: 'refused', about: '', refused_by: null })),
      })
      .where('id', '=', accountId)
      .execute();
    await endSessions(trx, accountId);
    await announce({ kind: 'access', accountId });
    await deleteModeratorLinks(trx, [accountId]);
  });
}

/**
 * Locks the row of an account, disabled or not, until the transaction ends, so that no session can be opened.
 * @throws ApiError `user_not_found`, also when it is erased
 */
export async function lockAccount(trx: Database, accountId: string) {
  const row = await trx
    .selectFrom('accounts')
    .select('disabled_at_ms')
    .where('id', '=', accountId)
    .where('erased_at_ms', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new ApiError('user_not_found');
  return row;
}
