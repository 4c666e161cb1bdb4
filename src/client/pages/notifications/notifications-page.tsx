import { useInfiniteQuery } from '@tanstack/react-query';
import { createElement } from 'react';
import { limits } from '../../../shared/limits.ts';
import { notificationKinds } from '../../../shared/notification-kinds.ts';
import { unreadText } from '../../../shared/notification-texts.ts';
import type { AnyNotification, NotificationPage } from '../../../shared/notifications.ts';
import { pages } from '../../../shared/pages.ts';
import { pageRoutes } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { listNotifications } from '../../conversation/reading/news-calls.ts';
import { useSeen } from '../../conversation/reading/use-seen.ts';
import { Link } from '../../router/navigation.tsx';
import { AccountPage } from '../../session/account-page.tsx';
import { PushOffer } from '../../settings/push/push-offer.tsx';
import { useAppState, useStore, useUser } from '../../state/store-provider.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import lists from '../../ui/styles/list.module.css';
import { texts } from '../../ui/texts.ts';
import { Time } from '../../ui/time/time.tsx';
import styles from './notifications-page.module.css';

/** The user's notifications, what awaits a moderator, and unread counts of the channels that the user follows. */
function NotificationsPageContent() {
  return (
    <AccountPage name="notifications">
      <OwnNotifications />
    </AccountPage>
  );
}

export const NotificationsPage = withQueries(NotificationsPageContent);

/** A snapshot from when the page was last seen: items that were new then stay marked. */
function useNotifications() {
  const { id } = useUser();
  return useInfiniteQuery({
    queryKey: [...accountKey(id), 'notifications'],
    queryFn: ({ pageParam, signal }) => request(listNotifications, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchOnMount: 'always',
  });
}

function OwnNotifications() {
  const { site } = useStore();
  const query = useNotifications();
  // The newest comes first, and those on later pages are seen with it.
  const newest = query.data?.pages[0]?.data.find(({ isNew }) => isNew);
  useSeen(newest && { id: newest.id });
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle>{pages.notifications.title}</PageTitle>
      <Loaded query={query}>
        {({ pages: [first, ...others] }) =>
          first && (
            <>
              <Waiting />
              <Mine notifications={[first, ...others].flatMap(({ data }) => data)} query={query} />
              <Followed channels={first.channels} />
              <PushOffer />
              <p className="links row">
                <Link href={`${pageRoutes.settings}#seguir`}>Elegir de qué te avisamos</Link>
                {site.hasMail && (
                  <Link href={`${pageRoutes.settings}#correo`}>Recibirlos por correo</Link>
                )}
              </p>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

/** Leads a moderator to what awaits a decision or approval. */
function Waiting() {
  const pending = useAppState((state) => state.pendingModeration);
  if (pending === 0) return null;
  return (
    <section aria-labelledby="por-moderar">
      <h2 id="por-moderar">Por moderar</h2>
      <p className={`frame covered row ${lists.item} ${styles.notification}`}>
        <Link className="covering plain target" href={pageRoutes.moderation}>
          {texts.pending(pending)}
        </Link>
      </p>
    </section>
  );
}

interface MineProps {
  notifications: NotificationPage['data'];
  query: ReturnType<typeof useNotifications>;
}

function Mine({ notifications, query }: MineProps) {
  return (
    <section className="stack" aria-labelledby="para-ti">
      <h2 id="para-ti">Para ti</h2>
      {notifications.length === 0 ? (
        <p className="note">
          {`No tienes avisos de los últimos ${limits.notificationDays} días. Aquí verás cuándo te responden, te mencionan o te dan las gracias, cuándo se escribe en los canales que sigues o se abre uno, y qué decide sobre lo tuyo el equipo de moderación.`}
        </p>
      ) : (
        <ol className={`frame ${lists.list} ${styles.list}`}>
          {notifications.map((notification) => (
            <li
              key={notification.id}
              className={`covered row ${lists.item} ${styles.notification}`}
              data-new={notification.isNew || undefined}
            >
              <NotificationLine notification={notification} />
            </li>
          ))}
        </ol>
      )}
      <Paged query={query} href={pageRoutes.notifications} label="Ver más avisos" />
    </section>
  );
}

const shieldPath = 'M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6z';
const calendarPath =
  'M8 2v4M16 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z';

function NotificationLine({ notification }: { notification: AnyNotification }) {
  const { excerpt, createdAt, isNew } = notification;
  const kind = notificationKinds[notification.kind];
  const title = kind
    .title(notification)
    .map((part) =>
      typeof part === 'string'
        ? part
        : createElement('bdi', null, 'person' in part ? part.person : part.channel),
    );
  return (
    <>
      {'people' in notification ? (
        <Avatar img={notification.people[0]?.img ?? ''} size={36} />
      ) : (
        <span className={styles.mark}>
          <Icon size={20} path={'dates' in notification ? calendarPath : shieldPath} />
        </span>
      )}
      <div className={`stack ${styles.what}`}>
        <p>
          <Link className="covering plain" href={kind.link(notification)}>
            {createElement('span', null, ...title)}
          </Link>
        </p>
        {excerpt && (
          <p className={kind.excerpt === 'list' ? styles.dates : 'muted clamped'} dir="auto">
            {kind.excerpt === 'reason' ? `Motivo: ${excerpt}` : excerpt}
          </p>
        )}
        <p className="note">
          {isNew && <strong className={styles.new}>Nuevo</strong>}
          <Time iso={createdAt} />
        </p>
      </div>
    </>
  );
}

function Followed({ channels }: Pick<NotificationPage, 'channels'>) {
  const followsAll = useAppState(({ follow }) => follow === 'all');
  return (
    <section className="stack" aria-labelledby="canales-que-sigues">
      <h2 id="canales-que-sigues">Canales que sigues</h2>
      {channels.length === 0 ? (
        <p className="note">
          {followsAll
            ? 'Cuando abras un canal, verás aquí cuántos comentarios nuevos hay.'
            : 'No sigues ningún canal. Con «Seguir», en las opciones de un canal, verás aquí cuántos comentarios nuevos hay.'}
        </p>
      ) : (
        <ul className={`frame ${lists.list} ${styles.list}`}>
          {channels.map(({ _id, name, unread }) => (
            <li
              key={_id}
              className={`covered row ${lists.item} ${styles.notification}`}
              data-new={unread > 0 || undefined}
            >
              <Link className="covering plain" href={pageRoutes.channel(_id)}>
                <bdi>{name}</bdi>
              </Link>
              <span className="note">{unread > 0 ? unreadText(unread) : 'Nada nuevo'}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
