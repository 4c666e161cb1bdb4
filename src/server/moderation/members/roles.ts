import type { Role } from '../../../shared/moderation.ts';
import type { Actor } from '../../accounts/actor.ts';
import { endFounderLink } from '../../accounts/invitations/founder-link.ts';
import { deleteModeratorLinks } from '../../accounts/recovery/password-links.ts';
import { approve } from '../../accounts/standing/approval.ts';
import { findRestriction } from '../../accounts/standing/restrictions.ts';
import { lockStaff, requireOtherAdmin } from '../../accounts/standing/staff.ts';
import { audited } from '../../database/audit-log.ts';
import { ApiError } from '../../http/api-error.ts';

/**
 * Gives an account a role, effective from its next request.
 * @throws ApiError `user_not_found`, also when it is erased or was not let in; `last_admin`; `staff_only` when it is
 * disabled or restricted; `not_found` when the caller is no longer an admin
 */
export async function setRole(actor: Actor, accountId: string, role: Role): Promise<void> {
  const { callerId, now } = actor;
  await audited(actor, actor.actorName, 'roles', async (trx, changed, announce) => {
    // Before any other lock, so that the link is either used before this, or never.
    if (role === 'admin') await endFounderLink(trx);
    const staff = await lockStaff(trx, accountId);
    const isAdmin = ({ id, role, disabled_at_ms }: (typeof staff)[number]) =>
      id === callerId && role === 'admin' && disabled_at_ms === null;
    if (callerId !== undefined && !staff.some(isAdmin)) throw new ApiError('not_found');
    const account = staff.find(({ id }) => id === accountId);
    if (!account || account.admission !== null) throw new ApiError('user_not_found');
    if (account.role === role) return;
    if (role !== 'admin') await requireOtherAdmin(trx, staff, accountId, now());
    if (role !== 'member') {
      if (account.disabled_at_ms !== null)
        throw new ApiError('staff_only', { detail: 'Esa cuenta está desactivada.' });
      if (await findRestriction(trx, accountId, now())) {
        const detail =
          'Esa cuenta no puede escribir ahora. Deshaz antes la decisión que se lo impide.';
        throw new ApiError('staff_only', { detail });
      }
    }
    await trx.updateTable('accounts').set({ role }).where('id', '=', accountId).execute();
    if (role !== 'member') await approve(trx, announce, accountId, now());
    await deleteModeratorLinks(trx, [accountId]);
    await announce({ kind: 'profile', accountId });
    changed(`make-${role}`, accountId);
  });
}
