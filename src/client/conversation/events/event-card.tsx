import type { ComponentType } from 'react';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { CommentEvent, EventDate, Rsvp } from '../../../shared/events.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { WayInLink } from '../../ui/way-in-link.tsx';
import { DateLine } from './date-line.tsx';
import styles from './event-card.module.css';
import type { EventToolsProps } from './event-tools.tsx';

/** Dates that a card shows at once. The others are in a part that opens. */
const shownDates = 3;

interface EventCardProps {
  /** The comment that carries them. Null where moderators look at it, who are shown no links to what visitors may not see. */
  comment: Comment | null;
  event: CommentEvent;
  /** The answers of the signed-in user. */
  rsvps: readonly Rsvp[];
  /** Renders the answers and tools of a signed-in user. Null for guests, and until the script of accounts is loaded. */
  Tools: ComponentType<EventToolsProps> | null;
}

/** The dates of a comment, next ones first. */
export function EventCard({ comment, event, rsvps, Tools }: EventCardProps) {
  const { title, location, capacity, dates } = event;
  const coming = dates.filter(({ phase }) => phase !== 'over');
  const first = (coming.length > 0 ? coming : dates.slice(-1)).slice(0, shownDates);
  const others = dates.filter((date) => !first.includes(date));
  // Not the year of a clock: a page in a cache may be of last year.
  const year = (comment?.createdAt ?? first[0]?.start)?.slice(0, 4);
  const itemOf = (date: EventDate) => (
    <li key={date.position} className={styles.date} data-over={date.phase === 'over' || undefined}>
      <DateLine date={date} year={year} capacity={capacity} />
      {comment && Tools && <Tools comment={comment} event={event} date={date} rsvps={rsvps} />}
    </li>
  );
  return (
    <section className={styles.card} aria-label={`Fechas de ${title}`}>
      <p className={styles.title} dir="auto">
        {title}
      </p>
      {location && (
        <p className={styles.location} dir="auto">
          {location}
        </p>
      )}
      <ul className={styles.dates}>{first.map(itemOf)}</ul>
      {others.length > 0 && (
        <details className={styles.others}>
          <summary>
            {others.length === 1 ? 'Ver la otra fecha' : `Ver las otras ${others.length} fechas`}
          </summary>
          <ul className={styles.dates}>{others.map(itemOf)}</ul>
        </details>
      )}
      {comment && (
        <div className={`row unprinted ${styles.links}`}>
          {Tools && <Tools comment={comment} event={event} date="all" rsvps={rsvps} />}
          {!Tools && coming.some(({ phase }) => phase === 'coming') && (
            <span data-for="guest">
              <WayInLink className="target" href={pageRoutes.login}>
                Inicia sesión para responder
              </WayInLink>
            </span>
          )}
          {coming.length > 0 && (
            <a className="target" href={apiRoutes.eventFile(comment.channelId, comment.number)}>
              Añadir a mi calendario
            </a>
          )}
        </div>
      )}
    </section>
  );
}
