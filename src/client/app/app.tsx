import { type ComponentType, useEffect } from 'react';
import type { User } from '../../shared/accounts.ts';
import type { PageData, Site } from '../../shared/page-data.ts';
import type { PageName } from '../../shared/pages.ts';
import { searchUrl, withQuery } from '../../shared/routes.ts';
import { currentPage, substituteFor } from '../router/current-page.ts';
import type { Page } from '../router/match-page.ts';
import { ServedSearch, ServerPath, useAddress, usePath } from '../router/navigation.tsx';
import type { AppState } from '../state/state.ts';
import { BrowserOnly, StoreProvider, useAppState, useStore } from '../state/store-provider.tsx';
import { readRemembered } from '../storage/session.ts';
import { accountPart } from '../ui/loading/lazy-part.tsx';
import { PageBoundary } from '../ui/loading/page-boundary.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import type { SubjectPage } from './lazy-pages.ts';
import { PageEffects } from './page-effects.ts';

const AccountEffects = accountPart((parts) => parts.AccountEffects, { isQuiet: true });

/** The components of the pages that `lazyPages` loads in the browser. */
export type LazyPages = Readonly<
  Record<Exclude<PageName, SubjectPage>, ComponentType> &
    Record<SubjectPage, ComponentType<{ id: string }>>
>;

interface AppProps {
  initialState: AppState;
  site: Site;
  lazyPages: LazyPages;
  /** The user of the session; null for guests and on the server. */
  user?: User | null;
  /** The path during server rendering; undefined in the browser, which reads `location`. */
  ssrPath?: string;
}

export function App({ initialState, site, lazyPages, user = null, ssrPath }: AppProps) {
  return (
    <StoreProvider initialState={initialState} site={site} user={user}>
      <ServerPath value={ssrPath}>
        <ServedSearch value={servedSearch(initialState.pageData)}>
          <Layout lazyPages={lazyPages} isServer={ssrPath !== undefined} />
        </ServedSearch>
      </ServerPath>
    </StoreProvider>
  );
}

/** The query string that the server rendered the page for; undefined where it renders from the path alone. */
function servedSearch(data: PageData): string | undefined {
  if (data.page === 'user' || data.page === 'log') return withQuery('', { after: data.after });
  if (data.page === 'calendar') return withQuery('', { from: data.from, after: data.after });
  if (data.page === 'documents')
    return withQuery('', { q: data.q || null, channel: data.channel?._id, after: data.after });
  if (data.page !== 'search') return undefined;
  const [channel, author] = [data.channel?._id, data.author?.id];
  return new URL(searchUrl({ ...data, channel, author }), 'http://localhost').search;
}

interface LayoutProps extends Pick<AppProps, 'lazyPages'> {
  isServer: boolean;
}

function Layout({ lazyPages, isServer }: LayoutProps) {
  const path = usePath();
  const address = useAddress();
  const store = useStore();
  const substitute = useAppState((state) => substituteFor(address, state, store.site));
  const page = currentPage(address, substitute);
  // The data embedded in the page is used only for its first view. Later views fetch it.
  useEffect(() => void store.queryClient?.invalidateQueries({ refetchType: 'none' }), [store]);

  return (
    <>
      <Header page={page} />
      <main id="contenido" tabIndex={-1}>
        <PageBoundary key={path}>
          <PageContent page={page} lazyPages={lazyPages} />
        </PageBoundary>
      </main>
      <Footer />
      {!isServer && <PageEffects page={page} address={address} />}
      <BrowserOnly>
        <AccountLayer />
      </BrowserOnly>
    </>
  );
}

function AccountLayer() {
  const isLogged = useAppState((state) => state.user.isLogged);
  const hasAccount = isLogged || readRemembered() !== null;
  return hasAccount && <AccountEffects />;
}

function PageContent({ page, lazyPages }: Pick<AppProps, 'lazyPages'> & { page: Page }) {
  switch (page.name) {
    case 'channel':
      return <lazyPages.channel key={page.id} id={page.id} />;
    case 'user':
      return <lazyPages.user key={page.id} id={page.id} />;
    default: {
      const LazyPage = lazyPages[page.name];
      return <LazyPage />;
    }
  }
}
