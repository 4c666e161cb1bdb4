import { limits } from '../../shared/limits.ts';
import { useUserQuery } from '../api/user-query.ts';
import { categoryTexts, outcomeText } from '../moderation/decisions/log-texts.ts';
import { listOwnReports } from '../moderation/reports/report-calls.ts';
import { Loaded } from '../ui/loading/loaded.tsx';
import lists from '../ui/styles/list.module.css';
import { Time } from '../ui/time/time.tsx';
import { SettingsSection } from './settings-section.tsx';

/** The account's reports, each with its outcome. Renders nothing for an account without reports. */
export function ReportSection() {
  const reports = useUserQuery(listOwnReports);
  if (reports.data?.data.length === 0) return null;
  return (
    <SettingsSection
      id="denuncias"
      title="Tus denuncias"
      intro={`Lo que has denunciado, hasta ${limits.trashDays} días después de que se decida.`}
    >
      <Loaded query={reports}>
        {({ data }) => (
          <ol className={`frame ${lists.list}`}>
            {data.map((report) => (
              <li key={report.receipt} className={`row ${lists.item}`}>
                <div className={lists.what}>
                  <p>
                    <strong>{categoryTexts[report.reason]}</strong>
                  </p>
                  <p className="note">
                    <Time iso={report.createdAt} />
                  </p>
                  <p>{outcomeText(report)}</p>
                </div>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </SettingsSection>
  );
}
