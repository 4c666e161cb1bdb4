import type { Site } from '../shared/page-data.ts';
import { pages } from '../shared/pages.ts';
import {
  Create,
  Login,
  NewPassword,
  ProfilePage,
  preloadAccountBundle,
  Register,
} from './account/account-bundle-loader.tsx';
import { useAccount } from './account/use-account.ts';
import { ChannelPage } from './channels/channel-page.tsx';
import { Home } from './channels/home-page.tsx';
import { prefetchChannel } from './channels/prefetch-channel.ts';
import { currentPage } from './router/current-page.ts';
import type { Page } from './router/match-page.ts';
import { ServerPath, usePath } from './router/navigation.tsx';
import { usePageChange } from './router/use-page-change.ts';
import { PrefetchPage } from './router/use-prefetch.ts';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { NotFound } from './shell/not-found-page.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import type { AppState } from './state/state.ts';
import type { Store } from './state/store.ts';
import { StoreProvider, useAppState } from './state/store-provider.tsx';

interface AppProps {
  initialState: AppState;
  site: Site;
  /** The path, on the server; the browser knows it by itself. */
  ssrPath?: string;
}

export function App({ initialState, site, ssrPath }: AppProps) {
  return (
    <StoreProvider initialState={initialState} site={site}>
      <ServerPath value={ssrPath}>
        <PrefetchPage value={prefetchPage}>
          <Layout />
        </PrefetchPage>
      </ServerPath>
    </StoreProvider>
  );
}

function prefetchPage(page: Page, store: Store): void {
  if (page.name === 'channel') prefetchChannel(page.id, store);
  else if (pages[page.name].bundle) preloadAccountBundle();
}

function Layout() {
  const path = usePath();
  const missingChannels = useAppState((state) => state.missingChannels);
  const page = currentPage(path, missingChannels);
  useAccount();
  usePageChange(path, page);

  return (
    <>
      <Header />
      <main id="contenido" tabIndex={-1}>
        <PageBoundary key={path}>
          <PageContent page={page} />
        </PageBoundary>
      </main>
      <Footer />
    </>
  );
}

function PageContent({ page }: { page: Page }) {
  switch (page.name) {
    case 'home':
      return <Home />;
    case 'channel':
      return <ChannelPage key={page.id} id={page.id} />;
    case 'not-found':
      return <NotFound />;
    case 'login':
      return <Login />;
    case 'register':
      return <Register />;
    case 'create':
      return <Create />;
    case 'profile':
      return <ProfilePage />;
    case 'password':
      return <NewPassword />;
    default:
      return page satisfies never;
  }
}
