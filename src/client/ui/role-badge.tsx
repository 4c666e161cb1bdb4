/** Says that a person is a moderator, after the name and apart from it. */
export function RoleBadge({ role }: { role?: 'member' | 'moderator' | 'admin' | undefined }) {
  if (!role || role === 'member') return null;
  return <span className="badge muted">Moderación</span>;
}
