import type { DecisionAction, Role } from '../../../shared/moderation.ts';
import { ApiError } from '../../http/api-error.ts';

export interface Account {
  id: string;
  role: Role;
}

/**
 * The error of somebody who cannot decide on an account or on what it wrote; undefined when they can. Nobody decides about themselves,
 * only admins about moderators' accounts and about what admins wrote, and nobody restricts an admin, whose role is
 * changed before.
 * @param caller undefined for the operator, who can do all of it
 * @param action undefined asks for content, which is the least
 * @param isUndo whether such an action is undone
 */
export function refusalOf(
  caller: Account | undefined,
  author: Account,
  action?: DecisionAction,
  isUndo = false,
): ApiError | undefined {
  if (!caller) return undefined;
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
 * The error of somebody who cannot decide an appeal; undefined when they can. It takes who could grant it, and not who made the decision
 * while another one could.
 * @param staff from `activeStaff`
 */
export function appealRefusalOf(
  caller: Account | undefined,
  author: Account,
  appealed: { action: DecisionAction; decided_by: string },
  staff: Account[],
): ApiError | undefined {
  const refusal = (one: Account | undefined) => refusalOf(one, author, appealed.action, true);
  const isOwn = caller !== undefined && appealed.decided_by === caller.id;
  if (isOwn && staff.some((one) => one.id !== caller.id && !refusal(one))) {
    return refused('La decisión es tuya: el recurso lo mira otra persona del equipo.');
  }
  return refusal(caller);
}

const refused = (detail: string) => new ApiError('staff_only', { detail });
