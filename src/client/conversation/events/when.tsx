import { dayParts, dayText, hoursText } from '../../../shared/event-texts.ts';
import type { EventDate } from '../../../shared/events.ts';
import { LocalTime } from './local-time.tsx';
import styles from './when.module.css';

/** A leaf of a calendar. `When` says the day to screen readers. */
export function Leaf({ start }: { start: string }) {
  const { month, date, weekday } = dayParts(start);
  return (
    <span className={styles.leaf} aria-hidden="true">
      <span>{weekday.slice(0, 3)}</span>
      <strong>{date}</strong>
      <span>{month}</span>
    </span>
  );
}

/** The hours of a date beside its leaf. */
export function When({ date }: { date: EventDate }) {
  return (
    <>
      <time dateTime={date.start}>
        <span className="visually-hidden">{`${dayText(date.start)}, `}</span>
        <span>{hoursText(date)}</span>
      </time>
      {date.start.includes('T') && <LocalTime date={date} />}
    </>
  );
}
