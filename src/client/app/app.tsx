import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import type { Site } from '../../shared/page-data.ts';
import type { LazyPage } from '../../shared/pages.ts';
import { createQueryClient } from '../api/query-client.ts';
import type { Page } from '../dom/match-page.ts';
import { ServedSearch, ServerPath, useAddress, usePath } from '../dom/navigation.tsx';
import { ChannelPage } from '../pages/channel/channel-page.tsx';
import type { AppState } from '../state/state.ts';
import { BrowserOnly, StoreProvider, useAppState, useStore } from '../state/store-provider.tsx';
import { readRemembered } from '../storage/session.ts';
import { accountPart } from '../ui/loading/lazy-part.tsx';
import { PageBoundary } from '../ui/loading/page-boundary.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { PageEffects } from './page-effects.ts';
import { currentPage, substituteFor } from './router/current-page.ts';
import { preloadPages } from './router/lazy-pages.ts';
import type { Served } from './served-queries.ts';

const AccountEffects = accountPart((parts) => parts.AccountEffects, { isQuiet: true });

/** The components of the pages that `lazyPages` loads in the browser. */
export type LazyPages = Readonly<
  Record<Exclude<LazyPage, 'user'>, ComponentType> & { user: ComponentType<{ id: string }> }
>;

interface AppProps {
  initialState: AppState;
  site: Site;
  lazyPages: LazyPages;
  /** Undefined on a channel's page, whose data are only in the state. */
  served?: Served | undefined;
  /** The path during server rendering; undefined in the browser, which reads `location`. */
  ssrPath?: string;
}

export function App({ initialState, site, lazyPages, served, ssrPath }: AppProps) {
  // Created per rendering, since the module is shared by all renderings on the server.
  const [queryClient] = useState(() => {
    const client = createQueryClient();
    served?.fill(client);
    return client;
  });
  useEffect(() => served?.settle(queryClient), [served, queryClient]);
  return (
    <StoreProvider initialState={initialState} site={site}>
      <QueryClientProvider client={queryClient}>
        <ServerPath value={ssrPath}>
          <ServedSearch value={served?.search}>
            <Layout lazyPages={lazyPages} isServer={ssrPath !== undefined} />
          </ServedSearch>
        </ServerPath>
      </QueryClientProvider>
    </StoreProvider>
  );
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
  useEffect(() => {
    if (hasAccount) preloadPages();
  }, [hasAccount]);
  return hasAccount && <AccountEffects />;
}

function PageContent({ page, lazyPages }: Pick<AppProps, 'lazyPages'> & { page: Page }) {
  switch (page.name) {
    case 'channel':
      return <ChannelPage key={page.id} id={page.id} />;
    case 'user':
      return <lazyPages.user key={page.id} id={page.id} />;
    default: {
      const LazyPage = lazyPages[page.name];
      return <LazyPage />;
    }
  }
}
