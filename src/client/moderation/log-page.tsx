import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { LogEntry } from '../../shared/moderation.ts';
import { pages } from '../../shared/pages.ts';
import { pageRoutes, withQuery } from '../../shared/routes.ts';
import { answerOf } from '../api/query-client.ts';
import { request } from '../api/request.ts';
import { useAnchors } from '../components/anchors.tsx';
import { lazyPart } from '../components/lazy-part.tsx';
import { MoreLink } from '../components/more-link.tsx';
import { LoadFailure } from '../components/notice.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Loading } from '../components/spinner.tsx';
import { Link, useAfter, useFragment } from '../router/navigation.tsx';
import { useServedPage } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { shortDate } from '../time/short-date.ts';
import styles from './log-page.module.css';
import { categoryTexts, decidedTexts, logTexts, receiptPrefix } from './log-texts.ts';
import { listLog } from './report-calls.ts';

const ReportOutcome = lazyPart(async () => (await import('./report-outcome.tsx')).ReportOutcome);

/** The public list of decisions, and above it the outcome of a report whose receipt the address has. */
export function LogPage() {
  const after = useAfter();
  const served = useServedPage('log');
  const fragment = useFragment();
  const receipt = fragment.startsWith(receiptPrefix) && fragment.slice(receiptPrefix.length);
  const { data, isError, refetch, fetchNextPage } = useInfiniteQuery({
    queryKey: ['log', after],
    queryFn: async ({ pageParam, signal }) =>
      answerOf(await request(listLog, pageParam, { signal })),
    initialPageParam: after,
    getNextPageParam: ({ next }) => next,
    initialData: () =>
      served && {
        pages: [{ data: served.entries, next: served.next }],
        // The server renders without the cursor of the address.
        pageParams: [served.isFirstPage ? null : (after ?? '')],
      },
    refetchOnMount: !served,
    placeholderData: keepPreviousData,
  });
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
  const next = data?.pages.at(-1)?.next;
  const loadMore = async () => {
    const result = await fetchNextPage();
    return result.isError ? null : entryId(entries.length);
  };
  return (
    <div className={styles.page}>
      <PageTitle>{pages.log.title}</PageTitle>
      <p className={styles.muted}>{logTexts.intro}</p>
      {receipt && <ReportOutcome key={receipt} receipt={receipt} />}
      {data && data.pageParams[0] !== null && (
        <p>
          <Link href={pageRoutes.log}>{texts.fromTheStart}</Link>
        </p>
      )}
      {!data && isError && <LoadFailure message={logTexts.failed} onRetry={() => refetch()} />}
      {!data && !isError && <Loading label={texts.loading} />}
      {data && entries.length === 0 && <p>{logTexts.empty}</p>}
      {entries.length > 0 && (
        <ol className={styles.list}>
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and are only appended
            <Entry key={index} id={entryId(index)} entry={entry} />
          ))}
        </ol>
      )}
      {next && (
        <MoreLink
          href={withQuery(pageRoutes.log, { after: next })}
          label={logTexts.more}
          failedText={logTexts.failed}
          load={loadMore}
        />
      )}
    </div>
  );
}

const entryId = (index: number) => `decision-${index + 1}`;

function Entry({ id, entry }: { id: string; entry: LogEntry }) {
  const { at, action, category, isUndone } = entry;
  const { register } = useAnchors();
  return (
    <li ref={register} id={id} tabIndex={-1} className={styles.entry}>
      <time className={styles.muted} dateTime={at}>
        {shortDate(at)}
      </time>
      <span className={styles.action} data-undone={isUndone || undefined}>
        {decidedTexts[action]}
      </span>
      <span className={styles.muted}>
        {categoryTexts[category]}
        {isUndone && ` · ${logTexts.undone}`}
      </span>
    </li>
  );
}
