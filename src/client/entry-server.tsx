import './base.css';
import { renderToString } from 'react-dom/server';
import type { RenderPage } from '../shared/page-data.ts';
import { App } from './app.tsx';
import { bundles } from './bundles.ts';
import { currentPage } from './shell/current-page.ts';
import { findSubject, pageHead } from './shell/page-head.ts';
import { initialState } from './state/state.ts';

// renderToString does not wait for lazy components.
await Promise.all(Object.values(bundles).map((bundle) => bundle.load()));

/** Renders a page as a guest sees it. */
export const render: RenderPage = ({ path, pageData, site }) => {
  const state = initialState(path, pageData);
  const page = currentPage(path, state);
  return {
    head: pageHead(page, findSubject(page, path, state)),
    html: renderToString(<App initialState={state} site={site} ssrPath={path} />),
  };
};
