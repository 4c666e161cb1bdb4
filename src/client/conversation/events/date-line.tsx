import type { ReactNode } from 'react';
import { dayParts, dayText, hoursText } from '../../../shared/event-texts.ts';
import type { CalendarDate, EventDate } from '../../../shared/events.ts';
import { commentLink } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { countsText } from './counts-text.ts';
import styles from './date-line.module.css';
import { LocalTime } from './local-time.tsx';

interface DateLineProps {
  date: EventDate;
  /** The year that is not said. */
  year?: string | undefined;
  capacity: number | null;
  /** Stands above the hours. */
  title?: ReactNode;
  /** Empty if it is not shown. */
  location?: string;
  /** Stands behind the counts. */
  children?: ReactNode;
}

/** One date: a leaf of a calendar, its hours, and how many come. */
export function DateLine({ date, year, capacity, title, location, children }: DateLineProps) {
  const { start, cancelled, reason } = date;
  const { month, date: day, weekday } = dayParts(start, year);
  const hours = (
    <>
      <time dateTime={start}>
        <span className="visually-hidden">{`${dayText(start, year)}, `}</span>
        <span>{hoursText(date)}</span>
      </time>
      {start.includes('T') && <LocalTime date={date} />}
      {location && (
        <span>
          , <bdi>{location}</bdi>
        </span>
      )}
    </>
  );
  return (
    <>
      <span className={styles.leaf} aria-hidden="true">
        <span>{weekday.slice(0, 3)}</span>
        <strong>{day}</strong>
        <span>{month}</span>
      </span>
      <div className={styles.about} data-cancelled={cancelled}>
        <p className={styles.first}>{title ?? hours}</p>
        {title && <p>{hours}</p>}
        <p className={`note ${styles.parts}`}>
          <span>
            {cancelled ? `Se ha cancelado${reason && `: ${reason}`}` : countsText(date, capacity)}
          </span>
          {children}
        </p>
      </div>
    </>
  );
}

interface CalendarLineProps {
  date: CalendarDate;
  /** The year that is not said. */
  year?: string | undefined;
  /** Whether the channel is named. */
  hasChannel: boolean;
  /** Whether the signed-in user has not answered. */
  isUnanswered?: boolean;
}

/** One date of a list, which leads to the comment that carries it. */
export function CalendarLine({
  date: entry,
  year,
  hasChannel,
  isUnanswered = false,
}: CalendarLineProps) {
  const { channel, number, title, location, capacity, date } = entry;
  return (
    <li className={`covered ${styles.line}`}>
      <DateLine
        date={date}
        year={year}
        capacity={capacity}
        title={
          <Link className="covering plain" href={commentLink(channel._id, number)}>
            <bdi>{title}</bdi>
          </Link>
        }
        location={location}
      >
        {hasChannel && <bdi>{channel.name}</bdi>}
        {isUnanswered && <span className={styles.unanswered}>Sin responder</span>}
      </DateLine>
    </li>
  );
}
