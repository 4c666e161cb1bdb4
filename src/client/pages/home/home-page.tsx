import type { ChannelOrder } from '../../../shared/channels.ts';
import { pages } from '../../../shared/pages.ts';
import { contactAnchor, homeUrl, pageRoutes, withQuery } from '../../../shared/routes.ts';
import { withQueries } from '../../api/with-queries.tsx';
import { NextDates } from '../../conversation/carried-part.ts';
import { PendingItems } from '../../conversation/composer/pending-part.tsx';
import { Link, useAfter } from '../../router/navigation.tsx';
import type { ChannelList } from '../../state/state.ts';
import { useAppState, useHydrated, useSite, useUser } from '../../state/store-provider.tsx';
import { FounderNote } from '../../ui/founder-note.tsx';
import { GuestLinks } from '../../ui/guest-links.tsx';
import { accountPart, lazyPart } from '../../ui/loading/lazy-part.tsx';
import { Paged } from '../../ui/loading/more-link.tsx';
import { PageBoundary } from '../../ui/loading/page-boundary.tsx';
import { Loading } from '../../ui/loading/spinner.tsx';
import { Alert, LoadFailure } from '../../ui/notice.tsx';
import { OrderLinks } from '../../ui/order-links.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import buttons from '../../ui/styles/button.module.css';
import { texts } from '../../ui/texts.ts';
import { SearchField } from '../search/search-field.tsx';
import { Announcements } from './announcements.tsx';
import { ChannelCard } from './channel-card.tsx';
import styles from './home-page.module.css';
import { useChannelList, useOrder } from './use-channel-list.ts';
import { useChosenOrder } from './use-chosen-order.ts';

const welcome = 'Bienvenidos a';

const orders: Record<ChannelOrder, string> = {
  comments: 'Más comentados',
  activity: 'Actividad reciente',
  new: 'Nuevos',
};

const MarkAllRead = accountPart((parts) => parts.MarkAllRead, { isQuiet: true });
const NewsOnHome = accountPart((parts) => parts.NewsOnHome, { isQuiet: true });
const RestrictionNote = accountPart((parts) => parts.RestrictionNote, { isQuiet: true });
const ConfirmEmailOnHome = accountPart((parts) => parts.ConfirmEmailOnHome, { isQuiet: true });
const DeletionOnHome = accountPart((parts) => parts.DeletionOnHome, { isQuiet: true });

const FirstStepsOnHome = lazyPart(
  async () => (await import('../../moderation/site/first-steps.tsx')).FirstStepsOnHome,
  { isQuiet: true },
);

/** Few visitors ever see it, and its style would be in every home page. */
const FirstChannel = lazyPart(async () => (await import('./first-channel.tsx')).FirstChannel, {
  isQuiet: true,
});

function HomePage() {
  const isReplaced = useChosenOrder();
  return !isReplaced && <ListedHome />;
}

export const Home = withQueries(HomePage);

function ListedHome() {
  const { isLogged } = useUser();
  const site = useSite();
  const list = useAppState((state) => state.list);
  const order = useOrder();
  const after = useAfter();
  const { query, hasFailed } = useChannelList(order, after);
  const isAdmin = useAppState(({ role }) => role === 'admin');

  const isEmptyForum = list?.isFirstPage && list.ids.length === 0;

  return (
    <>
      <div className={`stack ${styles.hero}`}>
        <div className={`stack ${styles.words}`}>
          <PageTitle>
            {site.name ? (
              <>
                <span className={styles.welcome}>{welcome}</span>{' '}
                <bdi className={styles.name}>{site.name}</bdi>
              </>
            ) : (
              `${welcome} ${texts.siteName}`
            )}
          </PageTitle>
          <p className={styles.lede} dir="auto">
            {site.welcome || texts.lede}
          </p>
        </div>
        {!isLogged && (
          <div data-for="guest" className={`row ${styles.guest}`}>
            <p className="quoted">Debes iniciar sesión para crear un canal</p>
            <GuestLinks />
          </div>
        )}
      </div>
      <div className={`unprinted ${styles.news}`}>{isLogged && <NewsOnHome />}</div>
      <div className={styles.notice}>
        {isLogged && <RestrictionNote />}
        {isLogged && <DeletionOnHome />}
      </div>
      {isLogged && <PendingItems channelId={null} />}
      {!isEmptyForum && (
        <div className={`unprinted ${styles.bar}`}>
          <SearchForm />
          <OrderLinks
            label="Orden de los canales"
            texts={orders}
            current={list?.order ?? order}
            // For a signed-in user the bare address is that of the order chosen last.
            hrefOf={(one) => (isLogged ? withQuery(pageRoutes.home, { sort: one }) : homeUrl(one))}
          />
        </div>
      )}
      {hasFailed &&
        (list && !navigator.onLine ? (
          // The list is fetched again once the connection is back.
          <div className={styles.failure}>
            <Alert>Sin conexión: esto es lo último que se cargó</Alert>
          </div>
        ) : (
          <LoadFailure
            message="No se pudieron cargar los canales"
            onRetry={() => query.refetch()}
          />
        ))}
      {list && list.announcements.length > 0 && (
        <Announcements announcements={list.announcements} />
      )}
      {list && list.upcoming.length > 0 && <NextDates dates={list.upcoming} hasChannels />}
      {list ? (
        // The key resets the busy state of a link to another page.
        <PageBoundary key={`${order} ${after}`}>
          <Cards list={list} query={query} />
        </PageBoundary>
      ) : (
        !hasFailed && <Loading label={texts.loading} />
      )}
      {list && <div className={styles.read}>{isLogged && <MarkAllRead />}</div>}
      {/* Below the channels, so that they do not move when these load. */}
      {list && isLogged && <ConfirmEmailOnHome />}
      {isAdmin && <FirstStepsOnHome />}
      {list && (
        <p className={`links row ${styles.about}`}>
          <Link href={pageRoutes.documents}>{pages.documents.title}</Link>
          <Link href={pageRoutes.rules}>{pages.rules.title}</Link>
          {site.hasContact && <Link href={`${pageRoutes.rules}#${contactAnchor}`}>Contacto</Link>}
        </p>
      )}
      {list && <FounderNote />}
    </>
  );
}

function SearchForm() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every screen reader knows <search>
    <form
      role="search"
      action={pageRoutes.search}
      className={`row tight field-row ${styles.search}`}
    >
      <SearchField placeholder="¿Qué buscas?" />
      <button type="submit" className={buttons.quiet}>
        Buscar
      </button>
    </form>
  );
}

interface CardsProps {
  list: ChannelList;
  query: ReturnType<typeof useChannelList>['query'];
}

function Cards({ list, query }: CardsProps) {
  const channels = useAppState((state) => state.channels);
  const isAdmin = useAppState(({ role }) => role === 'admin');
  const isReady = useHydrated();
  const { pinned, order, next, isFirstPage } = list;
  const ids = [...new Set([...pinned, ...list.ids])];

  return (
    <>
      {!isFirstPage && (
        <p className={`links ${styles.start}`}>
          <Link href={homeUrl(order)}>{texts.fromTheStart}</Link>
        </p>
      )}
      {list.ids.length === 0 ? (
        <>
          <p className="muted">Aún no hay canales</p>
          {/* An admin is led by the list below. */}
          {isReady && !isAdmin && <FirstChannel />}
        </>
      ) : (
        <ul className={styles.cards}>
          {ids.map((id, index) => {
            const channel = channels.get(id);
            return (
              channel && (
                <li key={id} className={styles.item}>
                  <ChannelCard channel={channel} isFirst={index === 0} />
                </li>
              )
            );
          })}
        </ul>
      )}
      <Paged
        // Taken from the state, not from the query, whose key lacks the query string of the address on the server.
        query={{ ...query, hasNextPage: next !== null }}
        href={homeUrl(order, next)}
        label="Ver más canales"
      />
    </>
  );
}
