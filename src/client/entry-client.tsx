import './base.css';
// Parts that several pages show: a script of their own would be one more request.
import './comments/comment-text.tsx';
import './components/time-ago.tsx';
import './components/more-link.tsx';
import './components/page-title.tsx';
import './channels/cover.tsx';
import './channels/channel-jumps.tsx';
import './components/guest-links.tsx';
import './components/focus-element.ts';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { EmbeddedData } from '../shared/page-data.ts';
import { pages } from '../shared/pages.ts';
import { readToken } from './account/session.ts';
import { App } from './app.tsx';
import { bundles } from './bundles.ts';
import { followTheme } from './shell/theme.ts';
import { initialState } from './state/state.ts';
import { loadReducer, setReducerImport } from './state/store.ts';

const root = document.getElementById('root');
const embedded = document.getElementById('page-data')?.textContent;
if (!root || !embedded) throw new Error('No page-data');

const { pageData, site } = JSON.parse(embedded) as EmbeddedData;

// Hydration needs all scripts of the page. If one cannot be loaded, the page shows an error.
const { bundle } = pages[pageData.page];
Promise.resolve(bundle && bundles[bundle].load())
  .catch(() => {})
  .then(() => {
    followTheme();
    const app = (
      <App initialState={initialState(location.pathname + location.search, pageData)} site={site} />
    );
    // A transition hydrates in slices, so that the browser stays responsive.
    startTransition(() => {
      // A hydration mismatch is reported here.
      hydrateRoot(root, app, { onRecoverableError: console.error });
    });
  });
setReducerImport(bundles.late.load);
loadReducer().catch(() => {});
if (readToken()) bundles.account.preload();
