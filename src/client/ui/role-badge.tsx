/** Marks a moderator or admin, after the name. */
export function RoleBadge({ role }: { role?: 'member' | 'moderator' | 'admin' | undefined }) {
  if (!role || role === 'member') return null;
  return <span className="badge muted">{role === 'admin' ? 'Administración' : 'Moderación'}</span>;
}
