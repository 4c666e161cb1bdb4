import { useQuery } from '@tanstack/react-query';
import { failureText } from '../api/failures.ts';
import { answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { LoadFailure, Note } from '../components/notice.tsx';
import { Loading } from '../components/spinner.tsx';
import { texts } from '../texts.ts';
import { getReport } from './report-calls.ts';
import { reportTexts } from './report-texts.ts';

/** The outcome of a report, for anybody who has its receipt. */
export function ReportOutcome({ receipt }: { receipt: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['report', receipt],
    queryFn: async ({ signal }) => answerOf(await request(getReport, receipt, { signal })),
  });
  if (error) {
    const { failure } = error;
    const message = failure.problem ? failureText(failure) : reportTexts.outcomeFailed;
    return <LoadFailure message={message} onRetry={() => refetch()} />;
  }
  if (!data) return <Loading label={texts.loading} />;
  return (
    <section aria-label={reportTexts.outcome} aria-live="polite">
      <Note>
        <strong>{reportTexts.outcome}.</strong>{' '}
        {data.state === 'open' ? reportTexts.isOpen : reportTexts.decided(data.outcome)}
      </Note>
    </section>
  );
}
