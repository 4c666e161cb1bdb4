import { useInfiniteQuery } from '@tanstack/react-query';
import { decisionNotificationLink, decisionText } from '../../../shared/decision-texts.ts';
import { limits } from '../../../shared/limits.ts';
import { notificationVerbs, unreadText } from '../../../shared/notification-texts.ts';
import type {
  DecisionNotification,
  Notification,
  NotificationPage,
} from '../../../shared/notifications.ts';
import { pages } from '../../../shared/pages.ts';
import { commentLink, pageRoutes } from '../../../shared/routes.ts';
import { accountKey } from '../../api/query-client.ts';
import { request } from '../../api/request.ts';
import { listNotifications } from '../../conversation/reading/news-calls.ts';
import { useSeen } from '../../conversation/reading/use-seen.ts';
import { Link } from '../../dom/navigation.tsx';
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
import { TimeAgo } from '../../ui/time/time-ago.tsx';
import styles from './notifications-page.module.css';

/** The user's notifications, what awaits a moderator, and unread counts of the channels that the user follows. */
export function NotificationsPage() {
  return (
    <AccountPage name="notifications">
      <OwnNotifications />
    </AccountPage>
  );
}

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
  // Newest first. A decision may be on a later page, and is seen once that is loaded.
  const fresh = query.data?.pages.flatMap(({ data }) => data).filter(({ isNew }) => isNew) ?? [];
  useSeen(
    fresh.find((one) => one.kind !== 'decision')?.id,
    fresh.find((one) => one.kind === 'decision')?.decisionId,
  );
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
              {site.hasMail && (
                <p>
                  <Link className="target" href={`${pageRoutes.settings}#correo`}>
                    Recibirlos por correo
                  </Link>
                </p>
              )}
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
          {`No tienes avisos de los últimos ${limits.notificationDays} días. Aquí verás cuándo te responden, te mencionan o te dan las gracias, y qué deciden sobre lo tuyo quienes moderan.`}
        </p>
      ) : (
        <ol className={`frame ${lists.list} ${styles.list}`}>
          {notifications.map((notification) => (
            <li
              key={notification.kind === 'decision' ? notification.decisionId : notification.id}
              className={`covered row ${lists.item} ${styles.notification}`}
              data-new={notification.isNew || undefined}
            >
              {notification.kind === 'decision' ? (
                <DecisionNotificationLine decision={notification} />
              ) : (
                <NotificationLine notification={notification} />
              )}
            </li>
          ))}
        </ol>
      )}
      <Paged query={query} href={pageRoutes.notifications} label="Ver más avisos" />
    </section>
  );
}

function NotificationLine({ notification }: { notification: Notification }) {
  const { kind, channel, number, people, count, excerpt, createdAt, isNew } = notification;
  const [one, several] = notificationVerbs[kind];
  return (
    <>
      <Avatar img={people[0]?.img ?? ''} size={36} />
      <div className={`stack ${styles.what}`}>
        <p>
          <Link className="covering plain" href={commentLink(channel._id, number)}>
            <bdi>{people[0]?.name}</bdi>
            <span>{count > 1 ? ` y ${count - 1} más ${several} en ` : ` ${one} en `}</span>
            <bdi>{channel.name}</bdi>
          </Link>
        </p>
        <Rest excerpt={excerpt} createdAt={createdAt} isNew={isNew} />
      </div>
    </>
  );
}

function DecisionNotificationLine({ decision }: { decision: DecisionNotification }) {
  const { action, subject, channel, excerpt } = decision;
  return (
    <>
      <span className={styles.mark}>
        <Icon size={20} path="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6z" />
      </span>
      <div className={`stack ${styles.what}`}>
        <p>
          <Link className="covering plain" href={decisionNotificationLink(decision)}>
            <span>{`${decisionText(action, subject)}${channel ? ' en ' : ''}`}</span>
            {channel && <bdi>{channel.name}</bdi>}
          </Link>
        </p>
        <Rest {...decision} excerpt={excerpt && `Motivo: ${excerpt}`} />
      </div>
    </>
  );
}

function Rest({
  excerpt,
  createdAt,
  isNew,
}: Pick<Notification, 'excerpt' | 'createdAt' | 'isNew'>) {
  return (
    <>
      {excerpt && (
        <p className="muted clamped" dir="auto">
          {excerpt}
        </p>
      )}
      <p className="note">
        {isNew && <strong className={styles.new}>Nuevo</strong>}
        <TimeAgo iso={createdAt} />
      </p>
    </>
  );
}

function Followed({ channels }: Pick<NotificationPage, 'channels'>) {
  return (
    <section className="stack" aria-labelledby="canales-que-sigues">
      <h2 id="canales-que-sigues">Canales que sigues</h2>
      {channels.length === 0 ? (
        <p className="note">
          No sigues ningún canal. Con «Seguir», en las opciones de un canal, verás aquí cuánto hay
          nuevo en él.
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
