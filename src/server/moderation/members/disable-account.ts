import type { Actor } from '../../accounts/actor.ts';
import { deleteModeratorLinks } from '../../accounts/recovery/password-links.ts';
import { endSessions } from '../../accounts/sessions/sessions.ts';
import { letIn } from '../../accounts/standing/admission.ts';
import { lockStaff, requireOtherAdmin } from '../../accounts/standing/staff.ts';
import { audited } from '../../database/audit-log.ts';
import { ApiError } from '../../http/api-error.ts';

/** Prevents the account from signing in. @throws ApiError `user_not_found`, also when it is erased; `last_admin` */
export const disableAccount = (actor: Actor, accountId: string) =>
  setDisabled(actor, accountId, true);

/** Lets the account sign in again. @throws ApiError `user_not_found`, also when it is erased */
export const enableAccount = (actor: Actor, accountId: string) =>
  setDisabled(actor, accountId, false);

function setDisabled(actor: Actor, accountId: string, isDisabled: boolean): Promise<void> {
  return audited(actor, actor.actorName, `account ${accountId}`, async (trx, changed, announce) => {
    const staff = await lockStaff(trx, accountId);
    const account = staff.find(({ id }) => id === accountId);
    // Nobody owns the account of an imported person.
    if (!account || account.admission === 'imported') throw new ApiError('user_not_found');
    const isShut = account.disabled_at_ms !== null;
    // An account that waits for approval, or was refused by a moderator, is disabled, too.
    const mayBeLetIn = account.admission === 'pending' || account.refused_by !== null;
    if (isDisabled ? isShut && !mayBeLetIn : !isShut) return;
    const nowMs = actor.now();
    if (isDisabled) await requireOtherAdmin(trx, staff, accountId, nowMs);
    await trx
      .updateTable('accounts')
      .set({
        disabled_at_ms: isDisabled ? nowMs : null,
        // Enabling an account that waits for approval lets it in. Disabling refuses it: no moderator can let it in.
        ...(account.admission !== null &&
          (isDisabled ? { admission: 'refused', about: '', refused_by: null } : letIn(nowMs))),
      })
      .where('id', '=', accountId)
      .execute();
    await endSessions(trx, accountId);
    await announce({ kind: 'access', accountId });
    await deleteModeratorLinks(trx, [accountId]);
    changed(isDisabled ? 'disable-account' : 'enable-account', accountId);
  });
}
