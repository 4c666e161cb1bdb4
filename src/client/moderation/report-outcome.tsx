import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { Loaded } from '../components/loaded.tsx';
import { Note } from '../components/notice.tsx';
import { decidedTexts } from './log-texts.ts';
import { getReport } from './report-calls.ts';
import { reportTexts } from './report-texts.ts';

/** The outcome of a report, for anybody who has its receipt. */
export function ReportOutcome({ receipt }: { receipt: string }) {
  const query = useQuery({
    queryKey: ['report', receipt],
    queryFn: async ({ signal }) => answerOf(await request(getReport, receipt, { signal })),
  });
  return (
    <section aria-label={reportTexts.outcome} aria-live="polite">
      <Loaded query={query}>
        {({ state, outcome }) => (
          <Note>
            <strong>{reportTexts.outcome}.</strong>{' '}
            {state === 'open'
              ? reportTexts.isOpen
              : reportTexts.decided(outcome && decidedTexts[outcome])}
          </Note>
        )}
      </Loaded>
    </section>
  );
}
