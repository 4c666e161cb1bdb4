import '../ui/styles/base.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { fieldsOf } from '../../shared/fields-of.ts';
import { type EmbeddedData, showsCarried } from '../../shared/page-data.ts';
import { fetchServerTime } from '../api/call.ts';
import { loadCarried } from '../conversation/load-carried.ts';
import { initialState } from '../state/state.ts';
import { readRemembered, readSession, readToken } from '../storage/session.ts';
import { loadAccountParts, setAccountParts } from '../ui/loading/lazy-part.tsx';
import { reloadForMissingParts } from '../ui/loading/reload-after-failed-chunk.ts';
import { App, type LazyPages } from './app.tsx';
import { lazyPages } from './lazy-pages.ts';
import { followTheme } from './theme/theme.ts';

const isEmbeddedData = (data: unknown): data is EmbeddedData => 'pageData' in fieldsOf(data);

const root = document.getElementById('root');
const embedded = document.getElementById('page-data')?.textContent;
if (!root || !embedded) throw new Error('No page-data');
if ('old' in document.documentElement.dataset)
  throw new Error('This browser is too old to write in');

const data: unknown = JSON.parse(embedded);
if (!isEmbeddedData(data)) throw new Error('No page-data');
const { pageData, site } = data;
const { page } = pageData;

const show = (render: (app: ReactNode) => void, loaded?: Partial<LazyPages>) => {
  followTheme();
  const state = initialState(location.pathname + location.search, pageData);
  const pages = { ...lazyPages, ...loaded };
  const user = readSession();
  // A transition renders in slices, between which the browser can handle input.
  const app = <App initialState={state} site={site} lazyPages={pages} user={user} />;
  startTransition(() => render(app));
};
// Reports hydration mismatches.
const hydrate = (app: ReactNode) => hydrateRoot(root, app, { onRecoverableError: console.error });

setAccountParts(() => import('./account-parts.ts'));
reloadForMissingParts();
// Hydration needs the page's component, and those of what its comments carry. If a script fails to load, the page is
// rendered from scratch, with an error.
Promise.all([lazyPages[page].load(), showsCarried(pageData) && loadCarried()]).then(
  ([Page]) => show(hydrate, { [page]: Page }),
  () => show((app) => createRoot(root).render(app)),
);
// A guest's first view of these pages makes no call whose response would carry the server's time.
if (['user', 'search', 'log'].includes(page)) void fetchServerTime();
if (readToken() || readRemembered()) loadAccountParts().catch(() => {});
// The app on a home screen needs the service worker for its page without a connection. Only secure pages have workers.
if (matchMedia('(display-mode: standalone)').matches && 'serviceWorker' in navigator) {
  import('../dom/register-worker.ts')
    .then(({ registerWorker }) => registerWorker())
    .catch(() => {});
}
