import { DeletionPart } from './deletion-part.tsx';
import { ExportPart } from './export-part.tsx';
import styles from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';
import { settingsTexts } from './settings-texts.ts';

/** The export and the deletion of the account. */
export function DataSection() {
  return (
    <SettingsSection id="tus-datos" title={settingsTexts.data}>
      <div className={styles.list}>
        <div className={styles.item}>
          <ExportPart />
        </div>
        <div className={styles.item}>
          <DeletionPart />
        </div>
      </div>
    </SettingsSection>
  );
}
