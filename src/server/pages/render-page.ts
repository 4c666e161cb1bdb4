import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EmbeddedData, PageHead, RenderInput, RenderPage } from '../../shared/page-data.ts';
import {
  type BundleName,
  bundlesOfInlinedStyles,
  type PageName,
  pages,
} from '../../shared/pages.ts';
import { cspHash, pageSecurityPolicy } from '../http/security-headers.ts';
import { escapeHtml, htmlDocument } from './html.ts';

/** The parts of the built client that pages use. */
export interface ClientBuild {
  render: RenderPage;
  /** Styles to inline into a page that needs this bundle besides the entry. */
  css: (bundle: BundleName | undefined) => string;
  /** Inline script that sets the theme and the signed-in state before the first paint. */
  beforePaint: string;
  /** URLs of the module scripts. */
  scripts: string[];
  /** URLs of the scripts of a bundle, besides `scripts`. */
  bundleScripts: (bundle: BundleName) => string[];
}

/** A script or style sheet in Vite's manifest. */
interface ManifestEntry {
  file: string;
  name?: string;
  css?: string[];
  isEntry?: boolean;
  /** Keys of the scripts that it imports statically. */
  imports?: string[];
}

interface Page {
  html: string;
  contentSecurityPolicy: string;
}

/** @param origin this site's origin, for the absolute URLs that link previews require */
export type PageRenderer = (input: RenderInput, origin: string) => Page;

const projectDir = path.resolve(import.meta.dirname, '../../..');

/** Reads the output of `vite build`. @throws when there is none */
export async function readClientBuild(): Promise<ClientBuild> {
  const clientDir = path.join(projectDir, 'dist/client');
  const read = (...parts: string[]) => readFileSync(path.join(...parts), 'utf8');
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    read(clientDir, '.vite/manifest.json'),
  );
  const entries = Object.values(manifest);
  const serverEntry = path.join(projectDir, 'dist/server/entry-server.js');
  const { render } = (await import(pathToFileURL(serverEntry).href)) as { render: RenderPage };
  return {
    render,
    css: (bundle) => {
      const names = new Set([...bundlesOfInlinedStyles, `${bundle}-bundle`]);
      const named = [...names].flatMap(
        (name) => entries.find((entry) => entry.name === name) ?? [],
      );
      const imported = named.flatMap(({ imports = [] }) =>
        imports.flatMap((key) => manifest[key] ?? []),
      );
      const files = new Set([...named, ...imported].flatMap(({ css = [] }) => css));
      return [...files].map((file) => read(clientDir, file).trim()).join('');
    },
    beforePaint: read(projectDir, 'src/client/shell/before-paint.js').trim(),
    scripts: entries.filter((entry) => entry.isEntry).map((entry) => `/${entry.file}`),
    bundleScripts: (bundle) => {
      const entry = entries.find(({ name }) => name === `${bundle}-bundle`);
      if (!entry) throw new Error(`no script of the bundle ${bundle} in the manifest`);
      const shared = (entry.imports ?? []).flatMap((key) => manifest[key] ?? []);
      return [entry, ...shared.filter(({ isEntry }) => !isEntry)].map(({ file }) => `/${file}`);
    },
  };
}

/** @param imageOrigin origin of the site's images, when it is another one */
export function createPageRenderer(build: ClientBuild, imageOrigin?: string): PageRenderer {
  /** The parts of a page that depend only on its name. */
  const framesByPage = new Map<PageName, { assets: string; contentSecurityPolicy: string }>();
  const frameOf = (page: PageName) => {
    const known = framesByPage.get(page);
    if (known) return known;
    const { bundle } = pages[page];
    const css = build.css(bundle);
    const frame = {
      assets: [
        `<style>${css}</style><script>${build.beforePaint}</script>`,
        ...build.scripts.map((src) => `<script type="module" src="${src}"></script>`),
        ...(bundle ? build.bundleScripts(bundle) : []).map(
          (href) => `<link rel="modulepreload" href="${href}">`,
        ),
      ].join(''),
      contentSecurityPolicy: pageSecurityPolicy(
        [cspHash(build.beforePaint)],
        [cspHash(css)],
        imageOrigin,
      ),
    };
    framesByPage.set(page, frame);
    return frame;
  };

  return (input, origin) => {
    const { page } = input.pageData;
    const { head, html } = build.render(input);
    const { assets, contentSecurityPolicy } = frameOf(page);
    const data: EmbeddedData = { pageData: input.pageData, site: input.site };
    return {
      contentSecurityPolicy,
      html: htmlDocument(
        metaTags(head, new URL(origin + input.path), page) + assets,
        `<div id="root">${html}</div>` +
          `<script type="application/json" id="page-data">${jsonForScript(data)}</script>`,
      ),
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
    page === 'search' ? '<meta name="robots" content="noindex">' : '',
  ].join('');
}

/** Escapes JSON, so that no text in it can end the script element or begin a comment. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
