import type { ReactNode } from 'react';

/** The heading that gets the focus when the page changes. */
export function PageTitle({ children }: { children: ReactNode }) {
  return (
    <h1 tabIndex={-1} dir="auto">
      {children}
    </h1>
  );
}
