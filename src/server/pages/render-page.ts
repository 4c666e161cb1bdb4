import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parseLinkedNumber } from '../../shared/comment-id.ts';
import { shareCard } from '../../shared/image-variants.ts';
import {
  type EmbeddedData,
  type PageData,
  type RenderedPage,
  type RenderInput,
  type RenderRoot,
  showsCarried,
} from '../../shared/page-data.ts';
import { type PageName, pages } from '../../shared/pages.ts';
import { pageRoutes, withQuery } from '../../shared/routes.ts';
import { siteNameOf } from '../../shared/site-name.ts';
import { CachedResponse } from '../http/cache/cached-response.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cspHash, pageSecurityPolicy } from '../http/security-headers.ts';
import { requireHost, shownHost } from '../http/site-origin.ts';
import type { ShownSettings } from '../site-settings/site-settings.ts';
import { codeOf } from '../system/error-code.ts';
import { adminCommand } from '../system/installation.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Config } from '../system/settings/config.ts';
import { iconLink, installLinks } from './install-routes.ts';
import { discoveryElements, jsonForScript } from './syndication/head-links.ts';

/** Parts of the built client that pages use. */
export interface ClientBuild {
  render: RenderRoot;
  /** Inline script that sets the theme and the signed-in state before the first paint. */
  beforePaint: string;
  /** @param hasCarried whether the page shows what comments carry */
  assetsOf: (page: PageName, hasCarried?: boolean) => PageAssets;
}

/** Files that a page needs in addition to its HTML, in the order in which the browser needs them. */
interface PageAssets {
  /** URLs of the module scripts to run. */
  scripts: string[];
  /** URLs of the other scripts that hydration needs. */
  preloaded: string[];
  /** URLs of the further scripts that people with an account need. */
  accountScripts: string[];
  styles: { url: string; text: string }[];
}

/** A script in Vite's manifest. */
const ManifestEntry = Type.Object({
  file: Type.String(),
  css: Type.Optional(Type.Array(Type.String())),
  isEntry: Type.Optional(Type.Boolean()),
  /** Keys of the statically imported scripts. */
  imports: Type.Optional(Type.Array(Type.String())),
});
type ManifestEntry = Static<typeof ManifestEntry>;

interface Page {
  html: string;
  contentSecurityPolicy: string;
}

/** Parts of a page that depend only on its name. */
interface PageFrame {
  contentSecurityPolicy: string;
  /** Elements of the head: its style sheets and scripts. */
  elements: string;
}

/** @param origin this site's origin, for the absolute URLs that link previews require */
export type RenderDocument = (input: RenderInput, origin: string) => Page;

/** The module of what comments carry. */
const carriedModule = 'conversation/carried.ts';

const projectDir = path.resolve(import.meta.dirname, '../../..');

/** Reads the output of `vite build`. @throws when there is none */
export async function readClientBuild(): Promise<ClientBuild> {
  const clientDir = path.join(projectDir, 'dist/client');
  const read = (...parts: string[]) => readOwnFile(path.join(...parts));
  const manifest = Value.Parse(
    Type.Record(Type.String(), ManifestEntry),
    JSON.parse(read(clientDir, '.vite/manifest.json')),
  );
  const serverEntry = path.join(projectDir, 'dist/server/entry-server.js');
  const { render } = (await import(pathToFileURL(serverEntry).href)) as { render: RenderRoot };
  const entry = Object.values(manifest).filter(({ isEntry }) => isEntry);
  const accountEntry = manifest['src/client/app/account-parts.ts'];

  /** Scripts, each preceded by its static imports. */
  const withImports = (scripts: ManifestEntry[]): ManifestEntry[] =>
    scripts.flatMap((script) => {
      const imports = (script.imports ?? []).flatMap((key) => manifest[key] ?? []);
      return [...withImports(imports), script];
    });

  return {
    render,
    beforePaint: read(projectDir, 'dist/server/before-paint.js'),
    assetsOf: (page, hasCarried = false) => {
      const modules = [pages[page].module, ...(hasCarried ? [carriedModule] : [])];
      const own = modules.flatMap((module) => manifest[`src/client/${module}`] ?? []);
      const loaded = new Set(withImports([...entry, ...own]));
      const parts = withImports(accountEntry ? [accountEntry] : []);
      const css = new Set([...loaded].flatMap((script) => script.css ?? []));
      return {
        scripts: entry.map(({ file }) => `/${file}`),
        preloaded: [...loaded].filter(({ isEntry }) => !isEntry).map(({ file }) => `/${file}`),
        accountScripts: [...new Set(parts)]
          .filter((script) => !loaded.has(script))
          .map(({ file }) => `/${file}`),
        styles: [...css].map((file) => ({ url: `/${file}`, text: read(clientDir, file).trim() })),
      };
    },
  };
}

/** @throws OperatorError when a file of the program cannot be read */
function readOwnFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(
      `${file}, which is part of the program, cannot be read: ${codeOf(error)}. Install this version again; in a clone, npm start builds it.`,
    );
  }
}

/**
 * Browsers always revalidate. A shared cache can serve a page for one second, and for another half minute while it
 * revalidates: the script updates an outdated page in the browser.
 */
const pageCacheControl = 'public, max-age=0, s-maxage=1, stale-while-revalidate=30';

const uncached: PageName[] = ['not-found', 'search', 'members-only'];

/** Renders the page of a request's URL from its data. */
export type MakePageResponse = (
  request: FastifyRequest,
  pageData: PageData,
) => Promise<CachedResponse>;

export function pageResponder({
  settings,
  config,
  renderDocument,
}: {
  settings: () => Promise<ShownSettings>;
  config: Pick<
    Config,
    'publicUrl' | 'socialLinks' | 'maxImageMb' | 'maxFileMb' | 'contact' | 'mail'
  >;
  renderDocument: RenderDocument;
}): MakePageResponse {
  return async (request, pageData) => {
    const { name, welcome, readers, registration, zone, rules, contact, links, isFounded } =
      await settings();
    const isForGuests = pageData.page === 'members-only';
    // The same bytes at every address.
    const path = isForGuests ? pageRoutes.home : pathOf(request);
    const { n } = request.query as { n?: string };
    const commentNumber = pageData.page === 'channel' ? parseLinkedNumber(n) : undefined;
    const showsContact = isForGuests || pageData.page === 'recover' || pageData.page === 'rules';
    const site = {
      name,
      welcome,
      readers,
      registration,
      zone: isForGuests ? '' : zone,
      socialLinks: links,
      maxImageMb: config.maxImageMb,
      maxFileMb: config.maxFileMb,
      hasContact: Boolean(contact),
      hasMail: config.mail !== undefined,
      founderCommand: isFounded ? null : `${adminCommand} founder`,
      ...(pageData.page === 'rules' && { rules }),
      ...(showsContact && { contact: contact || null }),
    };
    const page = renderDocument({ path, pageData, commentNumber, site }, originOf(request, config));
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.contentSecurityPolicy,
      ...(isForGuests && { 'x-robots-tag': 'noindex' }),
      'cache-control': uncached.includes(pageData.page) ? 'no-store' : pageCacheControl,
    };
    return new CachedResponse(page.html, headers);
  };
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/';
}

/** The site's origin. Without `PUBLIC_URL` it is plain http, because the server has no TLS. */
export function originOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>) {
  return publicUrl ?? `http://${requireHost(request)}`;
}

export function createDocumentRenderer(build: ClientBuild): RenderDocument {
  const frameOf = (page: PageName, hasCarried: boolean): PageFrame => {
    const { scripts, preloaded, accountScripts, styles } = build.assetsOf(page, hasCarried);
    // Inlined, because the first paint of a slow phone would otherwise wait for another round trip.
    const css = styles.map(({ text }) => text).join('');
    return {
      contentSecurityPolicy: pageSecurityPolicy([cspHash(build.beforePaint)], [cspHash(css)]),
      elements: [
        `<style>${css}</style>`,
        // Vite's loader takes these for loaded, and browsers do not load what is disabled.
        ...styles.map(({ url }) => `<link rel="stylesheet" href="${url}" disabled>`),
        `<script data-parts="${accountScripts.join(' ')}">${build.beforePaint}</script>`,
        ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
        ...preloaded.map((href) => `<link rel="modulepreload" href="${href}">`),
      ].join(''),
    };
  };
  // An update may replace the files while this server runs.
  const names = Object.keys(pages) as PageName[];
  const framesOf = (hasCarried: boolean) =>
    new Map(names.map((page) => [page, frameOf(page, hasCarried)]));
  const frames = { plain: framesOf(false), carried: framesOf(true) };

  return (input, origin) => {
    const { page } = input.pageData;
    const hasCarried = showsCarried(input.pageData);
    const { contentSecurityPolicy, elements } =
      frames[hasCarried ? 'carried' : 'plain'].get(page) ?? frameOf(page, hasCarried);
    const { html, ...head } = build.render(input);
    const address = withQuery(input.path, { n: head.preview.commentNumber });
    const data: EmbeddedData = { pageData: input.pageData, site: input.site };
    return {
      contentSecurityPolicy,
      html: htmlDocument(
        metaTags(head, new URL(origin + address), input) + elements,
        `<div id="root">${html}</div>` +
          `<script type="application/json" id="page-data">${jsonForScript(data)}</script>`,
        origin,
      ),
    };
  };
}

function metaTags(
  { title, preview }: Omit<RenderedPage, 'html'>,
  url: URL,
  input: RenderInput,
): string {
  const { site } = input;
  const { page } = input.pageData;
  const description = escapeHtml(preview.description);
  const image = URL.parse(preview.image, url)?.href;
  return [
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${description}">`,
    `<meta property="og:site_name" content="${escapeHtml(siteNameOf(site))}"><meta property="og:locale" content="es">`,
    `<meta property="og:type" content="${page === 'channel' ? 'article' : 'website'}">`,
    `<meta property="og:title" content="${escapeHtml(preview.title)}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:url" content="${escapeHtml(url.href)}">`,
    image ? `<meta property="og:image" content="${escapeHtml(image)}">` : '',
    preview.isCard
      ? `<meta property="og:image:width" content="${shareCard.width}"><meta property="og:image:height" content="${shareCard.height}">`
      : '',
    '<meta name="twitter:card" content="summary_large_image">',
    installLinks,
    discoveryElements(input, url.origin),
    page === 'search' ? '<meta name="robots" content="noindex">' : '',
  ].join('');
}

/** @param origin its host is also passed to scripts in Unicode if it has non-ASCII characters */
export function htmlDocument(head: string, body: string, origin?: string): string {
  const host = origin?.includes('xn--') ? ` data-host="${escapeHtml(shownHost(origin))}"` : '';
  return (
    `<!doctype html><html lang="es"${host}><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">' +
    '<meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)">' +
    '<meta name="theme-color" content="#16130f" media="(prefers-color-scheme: dark)">' +
    `${iconLink}${head}</head><body>${body}</body></html>`
  );
}
