import type { ReactNode } from 'react';

/** What somebody is changing, as it was changed elsewhere meanwhile: the next attempt replaces it. */
export function Conflict({ children }: { children: ReactNode }) {
  return (
    <div className="box">
      <p className="note">Así está ahora:</p>
      {children}
      <p className="note">Si vuelves a guardar, lo tuyo sustituirá a esto.</p>
    </div>
  );
}
