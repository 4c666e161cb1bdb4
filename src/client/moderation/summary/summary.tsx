import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Summary as SummaryData, SummaryWeek } from '../../../shared/moderation.ts';
import { numberText } from '../../../shared/number-texts.ts';
import { defineUserCall } from '../../api/call.ts';
import { useUserQuery } from '../../api/user-query.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { shortDate } from '../../ui/time/short-date.ts';
import { Time } from '../../ui/time/time.tsx';
import styles from './summary.module.css';

const getSummary = defineUserCall<void, SummaryData>('GET', apiRoutes.summary);

const rows: Record<keyof SummaryData['bars'], string> = {
  comments: 'Comentarios',
  writers: 'Personas que escribieron',
  channels: 'Canales con vida',
  newMembers: 'Miembros nuevos',
};
const keys = Object.keys(rows) as (keyof typeof rows)[];

/** The day as it is written, in no zone. */
const dayText = (day: string) => shortDate(`${day}T00:00Z`, true);

function recentText(weeks: SummaryWeek[], key: keyof typeof rows): string {
  const [before, now] = weeks.slice(-2).map((week) => numberText(week[key]));
  return `${now} esta semana, ${before} la anterior`;
}

/** How the last twelve weeks went: bars, and a table with the same numbers. */
export function Summary() {
  const query = useUserQuery(getSummary);
  return (
    <Loaded query={query}>
      {({ at, weeks, bars }) => (
        <>
          <p className="note">
            <span>Las últimas doce semanas, sin nombres. La de ahora no ha terminado. Contado</span>{' '}
            <Time iso={at} />
          </p>
          <ul className={styles.figures}>
            {keys.map((key) => (
              <li key={key} className={`frame ${styles.figure}`}>
                <h2>{rows[key]}</h2>
                <img className={styles.bars} src={bars[key]} alt="" />
                <p className="note">{recentText(weeks, key)}</p>
              </li>
            ))}
          </ul>
          <details>
            <summary>Ver los números</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
            <section className={styles.scroller} aria-label="Números de cada semana" tabIndex={0}>
              <table aria-label="Las últimas doce semanas">
                <thead>
                  <tr>
                    <th scope="col">Semana del</th>
                    {keys.map((key) => (
                      <th key={key} scope="col">
                        {rows[key]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {[...weeks].reverse().map((week) => (
                    <tr key={week.from}>
                      <th scope="row">{dayText(week.from)}</th>
                      {keys.map((key) => (
                        <td key={key}>{numberText(week[key])}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </details>
        </>
      )}
    </Loaded>
  );
}
