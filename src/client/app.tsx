import type { Site } from '../shared/page-data.ts';
import {
  Create,
  Login,
  NewPassword,
  ProfilePage,
  Register,
} from './account/account-bundle-loader.tsx';
import { useAccount } from './account/use-account.ts';
import { ChannelPage } from './channels/channel-page.tsx';
import { Home } from './channels/home-page.tsx';
import { currentPage } from './router/current-page.ts';
import type { Page } from './router/match-page.ts';
import { ServerPath, usePath } from './router/navigation.tsx';
import { usePageChange } from './router/use-page-change.ts';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { NotFound } from './shell/not-found-page.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import type { AppState } from './state/state.ts';
import { StoreProvider, useStore } from './state/store.tsx';

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
        <Layout />
      </ServerPath>
    </StoreProvider>
  );
}

function Layout() {
  const path = usePath();
  const { state } = useStore();
  const page = currentPage(path, state);
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
