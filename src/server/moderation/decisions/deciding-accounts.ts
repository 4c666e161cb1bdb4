import type { DecisionAction } from '../../../shared/moderation.ts';
import type { Moderator } from '../../accounts/actor.ts';
import { findRestriction, restrictionError } from '../../accounts/standing/restrictions.ts';
import { activeStaff } from '../../accounts/standing/staff.ts';
import { engineOf } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { adminCommand } from '../../system/installation.ts';
import { type Account, refusalOf } from './may-decide.ts';

/** How long a decision waits for a lock. Writers take it for a few milliseconds, longer on a busy machine. */
const lockMs = 2500;

export interface DecidingAccount extends Account {
  /** The decision in force that hides the account and everything it wrote. */
  hidden_by: string | null;
}

/**
 * Locks the rows of the accounts that a decision concerns and of the account that decides, in the order of their ids.
 * Decisions about an account run one after the other, and after its owner's writes that have begun.
 * @param action the action of the decision, or of the decision being undone, for `refusalOf`
 * @returns the accounts that it concerns, without erased ones if the action is about the account
 * @throws ApiError `not_found` when the caller is not a moderator; `silenced`, `suspended`; `staff_only`;
 * `user_not_found` when the only account is erased and the action is about the account
 */
export async function lockDeciding(
  trx: Database,
  { callerId, now }: Pick<Moderator, 'callerId' | 'now'>,
  accountIds: string[],
  { action, isUndo = false }: { action?: DecisionAction; isUndo?: boolean } = {},
): Promise<DecidingAccount[]> {
  // At most one connection per moderator waits this long, since a moderator's decisions run one after the other.
  await engineOf(trx).waitForLocks(trx, lockMs);
  const rows = await trx
    .selectFrom('accounts')
    .select(['id', 'role', 'hidden_by', 'erased_at_ms', 'disabled_at_ms'])
    .where('id', 'in', [...accountIds, callerId])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const caller = rows.find(({ id }) => id === callerId);
  if (!caller || caller.role === 'member' || caller.disabled_at_ms !== null)
    throw new ApiError('not_found');
  const restriction = await findRestriction(trx, callerId, now());
  if (restriction) throw restrictionError(restriction);
  const wanted = new Set(accountIds);
  const concerned = rows.filter(({ id }) => wanted.has(id));
  for (const account of concerned) {
    const refusal = refusalOf(caller, account, action, isUndo);
    if (refusal) throw refusal;
  }
  const isOnAccount =
    !isUndo && (action === 'silence' || action === 'suspend' || action === 'hideAll');
  const open = concerned.filter(({ erased_at_ms }) => erased_at_ms === null);
  if (open.length === 0 && (isOnAccount || concerned.length === 0))
    throw new ApiError('user_not_found');
  return isOnAccount ? open : concerned;
}

/** Shown to the operator while there are admins and none can act. */
export const noAdmin = `No admin can act at the moment. For another one, run: ${adminCommand} role EMAIL admin`;

export const hasAdmin = async (db: Database, nowMs: number): Promise<boolean> =>
  (await activeStaff(db, nowMs)).some(({ role }) => role === 'admin');
