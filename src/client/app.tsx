import { useState } from 'react';
import type { Site } from '../shared/page-data.ts';
import {
  AccountWork,
  ChannelPage,
  Create,
  Home,
  Login,
  NewPassword,
  NotFound,
  PageWork,
  PersonPage,
  ProfilePage,
  Recover,
  Register,
  SearchPage,
  SettingsPage,
} from './bundles.ts';
import { AnchorsProvider } from './components/anchors.tsx';
import { PageBoundary } from './components/page-boundary.tsx';
import type { Page } from './router/match-page.ts';
import { ServerPath, usePath, usePlace } from './router/navigation.tsx';
import { currentPage } from './shell/current-page.ts';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import type { AppState } from './state/state.ts';
import { StoreProvider, useAppState, useIsReady } from './state/store-provider.tsx';
import { readRemembered } from './storage/session.ts';

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
        <AnchorsProvider>
          <Layout />
        </AnchorsProvider>
      </ServerPath>
    </StoreProvider>
  );
}

function Layout() {
  const path = usePath();
  const place = usePlace();
  const missingChannels = useAppState((state) => state.missingChannels);
  const missingPlace = useAppState((state) => state.missingPlace);
  const page = currentPage(place, { missingChannels, missingPlace });
  const [firstPlace] = useState(place);
  const isLogged = useAppState((state) => state.user.isLogged);
  // The server has no storage, and the first render must be like its own.
  const hasAccount = useIsReady() && (isLogged || readRemembered());

  return (
    <>
      <Header />
      <main id="contenido" tabIndex={-1}>
        <PageBoundary key={path}>
          <PageContent page={page} />
        </PageBoundary>
      </main>
      <Footer />
      <PageWork page={page} place={place} firstPlace={firstPlace} />
      {hasAccount && <AccountWork />}
    </>
  );
}

function PageContent({ page }: { page: Page }) {
  switch (page.name) {
    case 'home':
      return <Home />;
    case 'channel':
      return <ChannelPage key={page.id} id={page.id} />;
    case 'user':
      return <PersonPage key={page.id} id={page.id} />;
    case 'not-found':
      return <NotFound />;
    case 'search':
      return <SearchPage />;
    case 'login':
      return <Login />;
    case 'register':
      return <Register />;
    case 'create':
      return <Create />;
    case 'profile':
      return <ProfilePage />;
    case 'settings':
      return <SettingsPage />;
    case 'recover':
      return <Recover />;
    case 'password':
      return <NewPassword />;
    default:
      return page satisfies never;
  }
}
