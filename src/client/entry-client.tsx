import './base.css';
// Parts that several pages show: a script of their own would be one more request.
import './comments/comment-text.tsx';
import './time/time-ago.tsx';
import './components/more-link.tsx';
import './components/page-title.tsx';
import './channels/cover.tsx';
import './channels/channel-jumps.tsx';
import './components/guest-links.tsx';
import './components/focus-element.ts';
import { type ReactNode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { EmbeddedData } from '../shared/page-data.ts';
import { pages } from '../shared/pages.ts';
import { App } from './app.tsx';
import { bundles } from './bundles.ts';
import { followTheme } from './shell/theme.ts';
import { initialState } from './state/state.ts';
import { readRemembered, readToken } from './storage/session.ts';

const root = document.getElementById('root');
const embedded = document.getElementById('page-data')?.textContent;
if (!root || !embedded) throw new Error('No page-data');

const { pageData, site } = JSON.parse(embedded) as EmbeddedData;

const show = (render: (app: ReactNode) => void) => {
  followTheme();
  const state = initialState(location.pathname + location.search, pageData);
  // A transition renders in slices, so that the browser stays responsive.
  startTransition(() => render(<App initialState={state} site={site} />));
};

// Hydration needs all scripts of the page. If one cannot be loaded, the page shows an error instead.
const { bundle } = pages[pageData.page];
Promise.resolve(bundle && bundles[bundle].load()).then(
  // A hydration mismatch is reported here.
  () => show((app) => hydrateRoot(root, app, { onRecoverableError: console.error })),
  () => show((app) => createRoot(root).render(app)),
);
if (readToken() || readRemembered()) bundles.account.preload();
