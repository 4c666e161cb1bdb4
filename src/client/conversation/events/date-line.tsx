import type { CalendarDate } from '../../../shared/events.ts';
import { commentLink } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { countsText } from './counts-text.ts';
import styles from './date-line.module.css';
import { Leaf, When } from './when.tsx';

interface DateLineProps {
  date: CalendarDate;
  /** Whether the channel is named. */
  hasChannel: boolean;
  /** Whether the signed-in user has not answered. */
  isUnanswered?: boolean;
}

/** One date in a list, which leads to the comment that carries it. */
export function DateLine({ date: entry, hasChannel, isUnanswered = false }: DateLineProps) {
  const { channel, number, title, location, capacity, date } = entry;
  return (
    <div className={`covered ${styles.line}`}>
      <Leaf start={date.start} />
      <div className={styles.about}>
        <p className={date.cancelled ? styles.cancelled : styles.title}>
          <Link className="covering plain" href={commentLink(channel._id, number)}>
            <bdi>{title}</bdi>
          </Link>
        </p>
        <p>
          <When date={date} />
          {location && (
            <span>
              , <bdi>{location}</bdi>
            </span>
          )}
        </p>
        <p className="note">
          <span>{date.cancelled ? 'Se ha cancelado' : countsText(date, capacity)}</span>
          {hasChannel && (
            <span>
              {' '}
              · <bdi>{channel.name}</bdi>
            </span>
          )}
          {isUnanswered && <span className={styles.unanswered}>Sin responder</span>}
        </p>
      </div>
    </div>
  );
}
