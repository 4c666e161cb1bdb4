import type { DecisionAction, Role } from '../../shared/moderation.ts';

export interface Account {
  id: string;
  role: Role;
}

/**
 * Why somebody cannot decide on an account or on what it wrote; empty when they can. Nobody decides about themselves,
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
): string {
  if (!caller) return '';
  if (caller.id === author.id) return 'Es tuyo: lo decide otra persona del equipo.';
  const restricts = action === 'silence' || action === 'suspend' || action === 'hideAll';
  if (author.role === 'admin' && restricts && !isUndo) {
    return 'Es de quien administra el foro: antes tiene que dejar de administrarlo.';
  }
  const needsAdmin = author.role === 'admin' || (author.role === 'moderator' && restricts);
  return needsAdmin && caller.role !== 'admin' ? 'Lo decide quien administra el foro.' : '';
}

/**
 * Why somebody cannot decide an appeal; empty when they can. It takes who could grant it, and not who made the decision
 * while another one could.
 * @param staff from `readDeciders`
 */
export function appealRefusalOf(
  caller: Account | undefined,
  author: Account,
  appealed: { action: DecisionAction; decided_by: string | null },
  staff: Account[],
): string {
  const refusal = (one: Account | undefined) => refusalOf(one, author, appealed.action, true);
  const isOwn = caller !== undefined && appealed.decided_by === caller.id;
  if (isOwn && staff.some((one) => one.id !== caller.id && refusal(one) === '')) {
    return 'La decisión es tuya: el recurso lo mira otra persona del equipo.';
  }
  return refusal(caller);
}
