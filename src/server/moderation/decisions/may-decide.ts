import type { DecisionAction, Role } from '../../../shared/moderation.ts';
import { ApiError } from '../../http/api-error.ts';

export interface Account {
  id: string;
  role: Role;
}

/**
 * The error for a caller who may not decide about an account or its content; undefined when they may. Nobody decides
 * about themselves. Only admins decide about moderators' accounts and about content of admins. An admin must lose that
 * role before being restricted.
 * @param action undefined for decisions about content, which need the least
 * @param isUndo whether a decision with this action is undone
 */
export function refusalOf(
  caller: Account,
  author: Account,
  action?: DecisionAction,
  isUndo = false,
): ApiError | undefined {
  if (caller.id === author.id) return refused('Es tuyo: lo decide otra persona del equipo.');
  const restricts = action === 'silence' || action === 'suspend' || action === 'hideAll';
  if (author.role === 'admin' && restricts && !isUndo) {
    return refused('Es de quien administra el foro: antes tiene que dejar de administrarlo.');
  }
  const needsAdmin = author.role === 'admin' || (author.role === 'moderator' && restricts);
  return needsAdmin && caller.role !== 'admin'
    ? refused('Lo decide quien administra el foro.')
    : undefined;
}

/**
 * The error for a caller who may not answer an appeal; undefined when they may. They must be allowed to grant it, and
 * must not have made the decision if someone else could answer.
 * @param staff from `activeStaff`
 */
export function appealRefusalOf(
  caller: Account,
  author: Account,
  appealed: { action: DecisionAction; decided_by: string },
  staff: Account[],
): ApiError | undefined {
  const refusal = (one: Account) => refusalOf(one, author, appealed.action, true);
  const isOwn = appealed.decided_by === caller.id;
  if (isOwn && staff.some((one) => one.id !== caller.id && !refusal(one))) {
    return refused('La decisión es tuya: la petición de revisión la mira otra persona del equipo.');
  }
  return refusal(caller);
}

const refused = (detail: string) => new ApiError('staff_only', { detail });
