import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EmbeddedData, PageHead, RenderInput, RenderPage } from '../../shared/page-data.ts';
import { pages } from '../../shared/pages.ts';
import { cspHash, pageSecurityPolicy } from '../http/security-headers.ts';
import { escapeHtml } from './escape-html.ts';

/** The built client as a page needs it. */
export interface ClientBuild {
  render: RenderPage;
  /** Put into the page as it is. */
  css: string;
  /** Runs before the first paint: theme, and whether somebody is signed in. */
  beforePaint: string;
  /** Addresses of the module scripts. */
  scripts: string[];
  /** Address of the script that account pages need before they can hydrate. */
  accountScript: string | undefined;
}

/** A page ready to send. */
interface Page {
  html: string;
  contentSecurityPolicy: string;
}

/** @param origin of this site, for the absolute addresses that previews ask for. */
export type PageRenderer = (input: RenderInput, origin: string) => Page;

const projectDir = path.resolve(import.meta.dirname, '../../..');

/** Reads what `vite build` made. @throws when it has not run. */
export async function readClientBuild(): Promise<ClientBuild> {
  const clientDir = path.join(projectDir, 'dist/client');
  const read = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');
  const manifest: Record<string, { file: string; css?: string[]; isEntry?: boolean }> = JSON.parse(
    read(clientDir, '.vite/manifest.json'),
  );
  const entries = Object.values(manifest);
  const accountParts = manifest['src/client/account/account-bundle.ts'];
  const css = entries.flatMap((entry) =>
    entry.file.endsWith('.css') ? [entry.file] : (entry.css ?? []),
  );
  const serverEntry = path.join(projectDir, 'dist/server/entry-server.js');
  const { render } = (await import(pathToFileURL(serverEntry).href)) as { render: RenderPage };
  return {
    render,
    css: [...new Set(css)].map((file) => read(clientDir, file)).join(''),
    beforePaint: read(projectDir, 'src/client/shell/before-paint.js').trim(),
    scripts: entries.filter((entry) => entry.isEntry).map((entry) => `/${entry.file}`),
    accountScript: accountParts && `/${accountParts.file}`,
  };
}

/** @param imageOrigin where the site's own images are fetched, when that is elsewhere */
export function createPageRenderer(build: ClientBuild, imageOrigin?: string): PageRenderer {
  const contentSecurityPolicy = pageSecurityPolicy(
    [cspHash(build.beforePaint)],
    [cspHash(build.css)],
    imageOrigin,
  );
  const assets =
    `<style>${build.css}</style><script>${build.beforePaint}</script>` +
    build.scripts.map((src) => `<script type="module" src="${src}"></script>`).join('');

  const accountPreload = build.accountScript
    ? `<link rel="modulepreload" href="${build.accountScript}">`
    : '';

  return (input, origin) => {
    const { page } = input.pageData;
    const preload = pages[page].bundle ? accountPreload : '';
    const { head, html } = build.render(input);
    const data: EmbeddedData = { pageData: input.pageData, site: input.site };
    return {
      contentSecurityPolicy,
      html:
        '<!doctype html><html lang="es"><head><meta charset="utf-8">' +
        '<meta name="viewport" content="width=device-width, initial-scale=1">' +
        `${metaTags(head, new URL(origin + input.path), page)}${assets}${preload}</head>` +
        `<body><div id="root">${html}</div>` +
        `<script type="application/json" id="page-data">${jsonForScript(data)}</script></body></html>`,
    };
  };
}

function metaTags(head: PageHead, url: URL, page: string): string {
  const title = escapeHtml(head.title);
  const description = escapeHtml(head.description);
  const image = URL.parse(head.image, url)?.href;
  return [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    '<meta property="og:site_name" content="tertulia"><meta property="og:locale" content="es">',
    `<meta property="og:type" content="${page === 'channel' ? 'article' : 'website'}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${escapeHtml(url.href)}">`,
    image ? `<meta property="og:image" content="${escapeHtml(image)}">` : '',
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#16130f" media="(prefers-color-scheme: dark)">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
  ].join('');
}

/** No text in the data can end the script element or begin a comment in it. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
