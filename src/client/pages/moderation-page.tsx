import { useEffect, useRef } from 'react';
import { pages } from '../../shared/pages.ts';
import { pageRoutes, withQuery } from '../../shared/routes.ts';
import { withQueries } from '../api/with-queries.tsx';
import { staffFailureText } from '../moderation/decisions/staff-calls.ts';
import { Members } from '../moderation/members/members.tsx';
import { OtherDecisions } from '../moderation/queue/other-decisions.tsx';
import { Queue } from '../moderation/queue/queue-list.tsx';
import { counted } from '../moderation/queue/queue-texts.ts';
import { useQueue } from '../moderation/queue/use-queue.ts';
import { Summary } from '../moderation/summary/summary.tsx';
import { go, Link, usePath, useQueryString } from '../router/navigation.tsx';
import { AccountPage } from '../session/account-page.tsx';
import { useAppState, useSite } from '../state/store-provider.tsx';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { Loading } from '../ui/loading/spinner.tsx';
import { LoadFailure, Note } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { showStatus } from '../ui/status/status-bar.tsx';
import buttons from '../ui/styles/button.module.css';
import orders from '../ui/styles/orders.module.css';
import { texts } from '../ui/texts.ts';
import styles from './moderation-page.module.css';

const tabsTexts = {
  open: 'Pendientes',
  pending: 'Por aprobar',
  decided: 'Decididas',
  members: 'Miembros',
  summary: 'Cómo va',
} as const;

const NotFound = lazyPart(async () => (await import('./not-found-page.tsx')).NotFound);

/**
 * The moderators' page: open cases, posts to approve, decided cases, all accounts, and how the community goes. NotFound for other users.
 */
function ModerationPageContent() {
  return (
    <AccountPage name="moderation">
      <Moderation />
    </AccountPage>
  );
}

export const ModerationPage = withQueries(ModerationPageContent);

const tabs = ['open', 'pending', 'decided', 'members', 'summary'] as const;
/** Tabs with an address of their own. */
const ownPages = { members: pageRoutes.members, summary: pageRoutes.summary };

/** Pixels of the preceding tab that stay in view, as a sign that the line scrolls. */
const barEdge = 60;

const tabLink = (tab: (typeof tabs)[number]) =>
  tab === 'members' || tab === 'summary'
    ? ownPages[tab]
    : withQuery(pageRoutes.moderation, { state: tab });

function Moderation() {
  const query = new URLSearchParams(useQueryString());
  const path = usePath();
  const state = query.get('state');
  const tab = tabs.find((one) => tabLink(one) === path || one === state) ?? 'open';
  const hasQueue = tab !== 'members' && tab !== 'summary';
  const queue = useQueue(hasQueue ? tab : 'open');
  const { items, others, counts, failure, isFetching, isFetchNextPageError, refetch } = queue;
  const { isOneAdminAlone } = queue;
  const { readers } = useSite();
  const role = useAppState((state) => state.role);
  const isImporter = role === 'admin' && readers === 'members';
  const status = failure?.status;
  // When the address names no list and there are no open cases, the page moves on to posts awaiting approval.
  const isPassedOver =
    hasQueue && state === null && items?.length === 0 && (counts?.pending ?? 0) > 0;
  const leadsOn = isPassedOver && !isFetching && !failure;
  useEffect(() => {
    if (leadsOn) go(tabLink('pending'), { replace: true });
  }, [leadsOn]);
  // On a phone the current tab may be beyond the end of the line.
  const bar = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const link = bar.current?.querySelector<HTMLElement>(`a[href="${tabLink(tab)}"]`);
    bar.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - bar.current.offsetLeft - barEdge });
  }, [tab]);
  if (status === 404 && !items) return <NotFound />;
  const refresh = async () => {
    const { isSuccess, data } = await refetch();
    const first = data?.pages[0];
    if (!isSuccess || !first) return;
    const { open, pending } = first.counts;
    showStatus({
      text: `Lista al día: ${tabsTexts.open}${countText(open)}, ${tabsTexts.pending}${countText(pending)}.`,
    });
  };
  // The list disappears once the account has lost its role or its access.
  const hasAccess = items && !isPassedOver && ![401, 403, 404].includes(status ?? 0);

  return (
    <div className={`page ${styles.page}`}>
      <div className={`row ${styles.row}`}>
        <PageTitle>{pages.moderation.title}</PageTitle>
        {hasQueue && (
          <button
            type="button"
            className={buttons.quiet}
            aria-busy={isFetching || undefined}
            onClick={refresh}
          >
            Actualizar
          </button>
        )}
      </div>
      <nav className={orders.nav} aria-label={pages.moderation.title}>
        <ul ref={bar} className={`links row ${orders.orders}`}>
          {tabs.map((one) => (
            <li key={one}>
              <Link href={tabLink(one)} aria-current={one === tab ? 'page' : undefined}>
                {tabsTexts[one] +
                  (one === 'open' || one === 'pending' ? countText(counts?.[one]) : '')}
              </Link>
            </li>
          ))}
          <li className={styles.more}>
            {isImporter && <Link href={pageRoutes.movingIn}>{pages.movingIn.title}</Link>}
            <Link href={pageRoutes.siteSettings}>Ajustes</Link>
            <Link href={pageRoutes.log}>Registro de moderación</Link>
          </li>
        </ul>
      </nav>
      {failure && !isFetchNextPageError && (
        <LoadFailure message={staffFailureText(failure)} onRetry={() => refetch()} />
      )}
      {hasAccess && isOneAdminAlone && (
        <Note>
          Desde hace un mes administra una sola persona. Si falta, nadie puede repartir papeles ni
          cambiar los ajustes: <Link href={pageRoutes.members}>que lo haga también otra</Link>.
        </Note>
      )}
      {!failure && (!items || isPassedOver) && <Loading label={texts.loading} />}
      {hasAccess && tab === 'members' && <Members />}
      {hasAccess && tab === 'summary' && <Summary />}
      {hasAccess && hasQueue && (
        <>
          {others.length > 0 && (
            <OtherDecisions decisions={others} isOpen={items.length === 0} reload={refetch} />
          )}
          <Queue key={tab} queue={queue} items={items} href={tabLink(tab)} />
        </>
      )}
    </div>
  );
}

/** A placeholder keeps the tabs at about the same width until the server responds. */
function countText(waiting = NaN): string {
  return ` (${waiting >= counted ? `${counted - 1}+` : Number.isNaN(waiting) ? '…' : waiting})`;
}
