import '../ui/styles/base.css';
import { renderToString } from 'react-dom/server';
import type { RenderRoot } from '../../shared/page-data.ts';
import { loadCarried } from '../conversation/load-carried.ts';
import { currentPage, substituteFor } from '../router/current-page.ts';
import { initialState } from '../state/state.ts';
import { App, type LazyPages } from './app.tsx';
import { lazyPages } from './lazy-pages.ts';
import { linkPreview } from './link-preview.ts';
import { pageHead, subjectOf } from './page-head.ts';

/** Loaded before the first page is rendered, since `renderToString` does not wait for scripts. */
const loadedPages = Object.fromEntries(
  await Promise.all(
    Object.entries(lazyPages).map(async ([name, page]) => [name, await page.load()] as const),
  ),
) as LazyPages;
await loadCarried();

/** Renders a page as a guest sees it. */
export const render: RenderRoot = ({ path, pageData, commentNumber, site }) => {
  const state = initialState(path, pageData);
  const page = currentPage(path, substituteFor(path, state, site));
  const app = { initialState: state, site, lazyPages: loadedPages, ssrPath: path };
  const head = pageHead(page, subjectOf(pageData), site);
  return {
    title: head.title,
    preview: linkPreview(head, pageData, commentNumber, site),
    html: renderToString(<App {...app} />),
  };
};
