import { useState } from 'react';
import type { CalendarDate, CommentRsvps } from '../../../shared/events.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { useUser } from '../../state/store-provider.tsx';
import { accountPart } from '../../ui/loading/lazy-part.tsx';
import { DateLine } from './date-line.tsx';
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
  const [answered, setAnswered] = useState<CommentRsvps[] | null>(null);
  const isUnanswered = ({ channel, number, date }: CalendarDate) =>
    isLogged &&
    answered !== null &&
    date.phase === 'coming' &&
    !date.cancelled &&
    !answered.some(
      (one) =>
        one.channelId === channel._id &&
        one.number === number &&
        one.rsvps.some(({ position }) => position === date.position),
    );
  return (
    <section className={styles.dates} aria-labelledby="fechas">
      {isLogged && <OwnAnswers key={id} dates={dates} onChange={setAnswered} />}
      <div className={`row ${styles.heading}`}>
        <h2 id="fechas">Próximas fechas</h2>
        <Link href={pageRoutes.calendar}>Agenda</Link>
      </div>
      <ul>
        {dates.map((date) => (
          <li key={`${date.channel._id} ${date.number} ${date.date.position}`}>
            <DateLine date={date} hasChannel={hasChannels} isUnanswered={isUnanswered(date)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
