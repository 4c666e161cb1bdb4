import lists from '../../ui/styles/list.module.css';
import { SettingsSection } from '../settings-section.tsx';
import { DeletionPart } from './deletion-part.tsx';
import { ExportPart } from './export-part.tsx';

export function DataSection() {
  return (
    <SettingsSection id="tus-datos" title="Tus datos">
      <div className={`frame ${lists.list}`}>
        <div className={`row ${lists.item}`}>
          <ExportPart />
        </div>
        <div className={`row ${lists.item}`}>
          <DeletionPart />
        </div>
      </div>
    </SettingsSection>
  );
}
