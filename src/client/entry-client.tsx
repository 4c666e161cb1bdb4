import './base.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { EmbeddedData } from '../shared/page-data.ts';
import { pages } from '../shared/pages.ts';
import { loadAccountBundle, preloadAccountBundle } from './account/account-bundle-loader.tsx';
import { readToken } from './account/session.ts';
import { App } from './app.tsx';
import { startScrollMemory } from './router/scroll-memory.ts';
import { followTheme } from './shell/theme.ts';
import { initialState } from './state/state.ts';

const root = document.getElementById('root');
const embedded = document.getElementById('page-data')?.textContent;
if (!root || !embedded) throw new Error('No page-data');

const { pageData, site } = JSON.parse(embedded) as EmbeddedData;

/** Hydration must find all of the page that the server rendered. What cannot be loaded says so itself. */
const parts = pages[pageData.page].bundle ? loadAccountBundle().catch(() => {}) : Promise.resolve();
parts.then(() => {
  startScrollMemory();
  followTheme();
  const app = <App initialState={initialState(location.pathname, pageData)} site={site} />;
  // In slices, between which the browser may paint and answer.
  startTransition(() => {
    hydrateRoot(root, app, {
      // Hydration that does not match ends here: it must be seen.
      onRecoverableError: console.error,
    });
  });
});
if (readToken()) preloadAccountBundle();
