import type { Action, Role } from '../../shared/moderation.ts';

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
 */
export function refusalOf(caller: Account | undefined, author: Account, action?: Action): string {
  if (!caller) return '';
  if (caller.id === author.id) return 'Es tuyo: lo decide otra persona del equipo.';
  const restricts = action === 'silence' || action === 'suspend' || action === 'hideAll';
  if (author.role === 'admin' && restricts) {
    return 'Es de quien administra el foro: quítale antes ese papel.';
  }
  const needsAdmin =
    author.role === 'admin' || (author.role === 'moderator' && (restricts || action === 'release'));
  return needsAdmin && caller.role !== 'admin' ? 'Lo decide quien administra el foro.' : '';
}
