import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { monthName, monthText } from '../../../shared/event-texts.ts';
import type { CalendarPage as Calendar, CalendarDate } from '../../../shared/events.ts';
import { pages } from '../../../shared/pages.ts';
import { assetRoutes, calendarUrl, pageRoutes, withQuery } from '../../../shared/routes.ts';
import { defineCall } from '../../api/call.ts';
import { publicKeys } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { CalendarLine } from '../../conversation/events/date-line.tsx';
import { Link, useAfter, useQueryString } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import styles from './calendar-page.module.css';

const getCalendar = defineCall<{ from: string | null; after: string | null }, Calendar>(
  'GET',
  (query) => withQuery(apiRoutes.calendar, query),
);

/** The dates of a month. Past ones are in a part that opens. */
function CalendarPageContent() {
  const after = useAfter();
  const from = new URLSearchParams(useQueryString()).get('from');
  const { isLogged } = useUser();
  const query = useQuery({
    queryKey: publicKeys.calendar(from, after),
    queryFn: ({ signal }) => request(getCalendar, { from, after }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle>{pages.calendar.title}</PageTitle>
      <Loaded query={query}>
        {({ data, next, month, previous, following }) => (
          <>
            <nav className={`row ${styles.months}`} aria-label="Meses">
              {previous ? (
                <Link href={calendarUrl(previous)}>{`‹ ${monthName(previous)}`}</Link>
              ) : (
                <span />
              )}
              <h2>{monthText(month)}</h2>
              {following ? (
                <Link href={calendarUrl(following)}>{`${monthName(following)} ›`}</Link>
              ) : (
                <span />
              )}
            </nav>
            <Dates dates={data} following={following} />
            {isLogged && (
              <Link className="target" href={`${pageRoutes.settings}#agenda`}>
                Ver estas fechas en mi calendario
              </Link>
            )}
            <a className="target unprinted" href={assetRoutes.poster}>
              Cartel para imprimir
            </a>
            {next && (
              <Link className={buttons.quiet} href={calendarUrl(month, next)}>
                Siguientes
              </Link>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

export const CalendarPage = withQueries(CalendarPageContent);

function Dates({ dates, following }: { dates: CalendarDate[]; following: string | null }) {
  const past = dates.filter(({ date }) => date.phase === 'over');
  const coming = dates.filter(({ date }) => date.phase !== 'over');
  return (
    <>
      {past.length > 0 && (
        <details className={styles.past}>
          <summary>
            {past.length === 1 ? '1 fecha pasada' : `${past.length} fechas pasadas`}
          </summary>
          <List dates={past} />
        </details>
      )}
      {coming.length > 0 ? (
        <List dates={coming} />
      ) : (
        <p className="muted">
          <span>
            {past.length > 0
              ? 'No queda ninguna fecha este mes.'
              : 'No hay ninguna fecha este mes.'}
          </span>{' '}
          {following && <Link href={calendarUrl(following)}>{`Ver ${monthName(following)}`}</Link>}
        </p>
      )}
    </>
  );
}

function List({ dates }: { dates: CalendarDate[] }) {
  return (
    <ul className={styles.list}>
      {dates.map((date) => (
        <CalendarLine
          key={`${date.channel._id} ${date.number} ${date.date.position}`}
          date={date}
          hasChannel
        />
      ))}
    </ul>
  );
}
