import { useEffect, useState } from 'react';
import type { HomeAnnouncement } from '../../../shared/announcements.ts';
import { commentLink } from '../../../shared/routes.ts';
import { Link } from '../../router/navigation.tsx';
import { useAppState, useUser } from '../../state/store-provider.tsx';
import { keepAcknowledged } from '../../storage/acknowledged.ts';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import buttons from '../../ui/styles/button.module.css';
import { Time } from '../../ui/time/time.tsx';
import styles from './announcements.module.css';

const Acknowledge = lazyPart(
  async () => (await import('../../conversation/announcements/acknowledge.tsx')).Acknowledge,
  { isQuiet: true },
);

/** Announcements that are shown before a button shows all. */
const most = 2;

/** The announcements of these days that the user has not acknowledged; for guests all, without a button. */
export function Announcements({ announcements }: { announcements: HomeAnnouncement[] }) {
  const { isLogged } = useUser();
  const acknowledged = useAppState((state) => state.acknowledged);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    if (acknowledged) keepAcknowledged(acknowledged);
  }, [acknowledged]);
  const open = announcements.filter(({ id }) => !acknowledged?.includes(id));
  if (open.length === 0) return null;
  const shown = isWhole ? open : open.slice(0, most);
  return (
    <section className={styles.announcements} aria-label="Comunicados">
      <ul>
        {shown.map((one) => (
          // before-paint.ts hides those that this browser knows to be acknowledged.
          <li key={one.id} className={`frame ${styles.announcement}`} data-announcement={one.id}>
            <p className={styles.head}>
              <Link href={commentLink(one.channel._id, one.number)}>
                Comunicado en <bdi>{one.channel.name}</bdi>
              </Link>{' '}
              <span className="note">
                <bdi>{one.autor}</bdi> <Time iso={one.createdAt} />
              </span>
            </p>
            <p className={styles.text} dir="auto">
              {one.comment.replace(/\n+/g, '\n')}
            </p>
            <div data-for="user" className={styles.button}>
              {isLogged && (
                <Acknowledge
                  id={one.id}
                  channelId={one.channel._id}
                  number={one.number}
                  confirm={one.confirm}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
      {shown.length < open.length && (
        <button
          type="button"
          className={`${buttons.quiet} ${styles.more}`}
          onClick={() => setWhole(true)}
        >
          {`Ver los ${open.length}`}
        </button>
      )}
    </section>
  );
}
