import './base.css';
import { renderToString } from 'react-dom/server';
import type { RenderPage } from '../shared/page-data.ts';
import { loadAccountBundle } from './account/account-bundle-loader.tsx';
import { App } from './app.tsx';
import { currentPage, findChannel } from './router/current-page.ts';
import { pageHead } from './router/page-head.ts';
import { initialState } from './state/state.ts';

// renderToString does not wait for lazy components.
await loadAccountBundle();

/** Renders a page as a guest sees it. */
export const render: RenderPage = ({ path, pageData, site }) => {
  const state = initialState(path, pageData);
  const page = currentPage(path, state.missingChannels);
  return {
    head: pageHead(page, findChannel(page, state)),
    html: renderToString(<App initialState={state} site={site} ssrPath={path} />),
  };
};
