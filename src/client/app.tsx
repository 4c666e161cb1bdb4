import type { Site } from '../shared/page-data.ts';
import { Create, Login, NewPassword, ProfilePage, Register } from './account-loader.tsx';
import { Footer } from './components/footer.tsx';
import { Header } from './components/header.tsx';
import { PageBoundary } from './components/page-boundary.tsx';
import { ServerPath, usePath } from './navigation.tsx';
import type { Page } from './pages.ts';
import { ChannelPage } from './routes/channel.tsx';
import { Home } from './routes/home.tsx';
import { NotFound } from './routes/not-found.tsx';
import { currentPage } from './state/current-page.ts';
import type { AppState } from './state/state.ts';
import { StoreProvider, useStore } from './state/store.tsx';
import { useAccount } from './state/use-account.ts';
import { usePageChange } from './use-page-change.ts';

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
