import type { ReactNode } from 'react';
import { PageBoundary } from '../ui/loading/page-boundary.tsx';
import styles from '../ui/styles/settings.module.css';

interface SettingsSectionProps {
  /** Id of the section's heading, which gets the focus when a control of the section is removed. */
  id: string;
  title: string;
  intro?: string;
  children: ReactNode;
}

export function SettingsSection({ id, title, intro, children }: SettingsSectionProps) {
  return (
    <section className={`stack ${styles.section}`} aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {intro && <p className="note">{intro}</p>}
      <PageBoundary>{children}</PageBoundary>
    </section>
  );
}
