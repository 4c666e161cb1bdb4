import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pages } from '../../../shared/pages.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import {
  categoryOf,
  decidedTexts,
  outcomeText,
  receiptPrefix,
} from '../../moderation/decisions/log-texts.ts';
import { getReport } from '../../moderation/reports/report-calls.ts';
import { Link, useAfter, useFragment } from '../../router/navigation.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Note } from '../../ui/notice.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import { dot } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import { listLog } from './log-calls.ts';
import styles from './log-page.module.css';

const title = 'Tu denuncia';

/** The public list of decisions, below the outcome of the report whose receipt is in the address. */
function LogPageContent() {
  const after = useAfter();
  const fragment = useFragment();
  const receipt = fragment.startsWith(receiptPrefix) && fragment.slice(receiptPrefix.length);
  const query = useQuery({
    queryKey: publicKeys.log(after),
    queryFn: ({ signal }) => request(listLog, after, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle>{pages.log.title}</PageTitle>
      <p className="note">
        Lo que decide el equipo de moderación, sin nombres ni textos. No aparece lo que se aprueba
        ni lo que se deja como está. Lo más nuevo, primero. Se decide según las{' '}
        <Link href={pageRoutes.rules}>normas</Link>.
      </p>
      {receipt && <ReportOutcome key={receipt} receipt={receipt} />}
      <Loaded query={query}>
        {({ data, next }) => (
          <>
            {data.length === 0 && <p>Aún no se ha decidido nada.</p>}
            <ol>
              {data.map(({ at, isUndone, ...decision }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and no state
                <li key={index} className={styles.entry}>
                  <span className="note">
                    <Time iso={at} form="date" />
                  </span>
                  <span className={styles.action} data-undone={isUndone || undefined}>
                    {decidedTexts[decision.action]}
                  </span>
                  <span className="note">
                    {[categoryOf(decision), isUndone && 'deshecha'].filter(Boolean).join(dot)}
                  </span>
                </li>
              ))}
            </ol>
            {next && (
              <Link className={buttons.quiet} href={withQuery(pageRoutes.log, { after: next })}>
                Siguientes
              </Link>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

export const LogPage = withQueries(LogPageContent);

/** The outcome of a report, visible to everyone who has its receipt. */
function ReportOutcome({ receipt }: { receipt: string }) {
  const query = useQuery({
    queryKey: ['report', receipt],
    queryFn: ({ signal }) => request(getReport, receipt, { signal }),
  });
  return (
    <section aria-label={title} aria-live="polite">
      <Loaded query={query}>
        {(report) => (
          <Note>
            <strong>{`${title}.`}</strong>{' '}
            <span>
              {outcomeText(report) +
                (report.state === 'open' ? ' Vuelve a este enlace más adelante.' : '')}
            </span>
          </Note>
        )}
      </Loaded>
    </section>
  );
}
