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
import { prefetchChannel } from './channels/fetch-channel.ts';
import { Home } from './channels/home-page.tsx';
import { currentPage } from './router/current-page.ts';
import type { Page } from './router/match-page.ts';
import { ServerPath, usePath } from './router/navigation.tsx';
import { usePageChange } from './router/use-page-change.ts';
import { usePrefetch } from './router/use-prefetch.ts';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { NotFound } from './shell/not-found-page.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import type { AppState } from './state/state.ts';
import { StoreProvider, useAppState, useStore } from './state/store-provider.tsx';

interface AppProps {
  initialState: AppState;
  site: Site;
  /** The path while the server renders; undefined in the browser, which has `location`. */
  ssrPath?: string;
}

export function App({ initialState, site, ssrPath }: AppProps) {
  return (
    <StoreProvider initialState={initialState} site={site}>
      <ServerPath value={ssrPath}>
        <Layout />
      </ServerPath>
    </StoreProvider>
  );
}

function Layout() {
  const path = usePath();
  const missingChannels = useAppState((state) => state.missingChannels);
  const page = currentPage(path, missingChannels);
  useAccount();
  usePageChange(path, page);
  const store = useStore();
  usePrefetch((target) => {
    if (target.name === 'channel') prefetchChannel(target.id, store);
    else if (pages[target.name].bundle) preloadAccountBundle();
  });

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
