import { useState } from 'react';
import type { CalendarDate } from '../../../shared/events.ts';
import { assetRoutes, pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { accountPart } from '../../ui/loading/lazy-part.tsx';
import { CalendarLine } from './date-line.tsx';
import styles from './next-dates.module.css';

const OwnAnswers = accountPart((parts) => parts.OwnAnswers, { isQuiet: true });

interface NextDatesProps {
  dates: CalendarDate[];
  /** Whether the dates are of several channels, which are named. */
  hasChannels?: boolean;
}

/** The next dates, with a link to the calendar. For a signed-in user those without an answer are marked. */
export function NextDates({ dates, hasChannels = false }: NextDatesProps) {
  const { isLogged, id } = useUser();
  const [answered, setAnswered] = useState<ReadonlySet<string> | null>(null);
  return (
    <section className={styles.dates} aria-labelledby="fechas">
      {isLogged && <OwnAnswers key={id} dates={dates} onChange={setAnswered} />}
      <div className={`row ${styles.heading}`}>
        <h2 id="fechas">Próximas fechas</h2>
        <Link className="target" href={pageRoutes.calendar}>
          Agenda
        </Link>
        {hasChannels && (
          <a className="target unprinted" href={assetRoutes.poster}>
            Cartel para imprimir
          </a>
        )}
      </div>
      <ul>
        {dates.map((one) => {
          const { channel, number, date } = one;
          const key = `${channel._id} ${number} ${date.position}`;
          const isOpen = date.phase === 'coming' && !date.cancelled;
          return (
            <CalendarLine
              key={key}
              date={one}
              year={dates[0]?.date.start.slice(0, 4)}
              hasChannel={hasChannels}
              isUnanswered={isLogged && isOpen && answered?.has(key) === false}
            />
          );
        })}
      </ul>
    </section>
  );
}
