import type { ReactNode } from 'react';

/** Shows the version that somebody else has saved in the meantime; saving again overwrites it. */
export function Conflict({ children }: { children: ReactNode }) {
  return (
    <div className="box">
      <p className="note">Así está ahora:</p>
      {children}
      <p className="note">Si vuelves a guardar, tu versión sustituirá a esta.</p>
    </div>
  );
}
