import type { OpenPoll } from '../../../shared/polls.ts';
import { commentLink } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { Time } from '../../ui/time/time.tsx';
import styles from '../events/next-dates.module.css';

/** The open polls of a channel, each with a link to its comment. */
export function OpenPolls({ polls }: { polls: OpenPoll[] }) {
  return (
    <section className={styles.dates} aria-labelledby="encuestas">
      <div className={`row ${styles.heading}`}>
        <h2 id="encuestas">Encuestas abiertas</h2>
      </div>
      <ul>
        {polls.map(({ channel, number, title, closesAt }) => (
          <li key={number} className={`covered ${styles.line}`}>
            <Link className="covering plain" href={commentLink(channel._id, number)}>
              <bdi>{title}</bdi>
            </Link>
            <p className="note">
              <span>Se cierra el </span>
              <Time iso={closesAt} form="hour" />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
