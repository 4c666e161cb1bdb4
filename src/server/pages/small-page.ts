import { readFileSync } from 'node:fs';
import { pageRoutes } from '../../shared/routes.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cspHash } from '../http/security-headers.ts';
import { azulejo } from './azulejo/azulejo.ts';
import { htmlDocument } from './render-page.ts';

const css = `
${readFileSync(new URL('../../client/ui/styles/tokens.css', import.meta.url), 'utf8')}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--sans); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; }
header { border-bottom: 1px solid var(--line); }
header a { display: flex; align-items: center; max-width: 1000px; min-height: 68px; margin: 0 auto; padding: 0 20px; color: inherit; font: 700 min(1.75rem, 9.4vw)/1 var(--serif); letter-spacing: -0.02em; text-decoration: none; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; justify-items: center; max-width: 600px; margin: 0 auto; padding: 28px 20px 56px; text-align: center; }
svg { display: block; width: 100%; max-width: 560px; height: auto; margin-bottom: 16px; border-radius: 18px; }
h1 { margin: 0; font: 700 min(12vw, 2rem)/1.2 var(--serif); letter-spacing: -0.01em; overflow-wrap: anywhere; }
p { max-width: 68ch; margin: 0; color: var(--muted); overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 12px; justify-content: center; margin-top: 8px; }
nav a, button { display: inline-flex; align-items: center; min-height: 46px; padding: 8px 20px; border: 1px solid var(--edge); border-radius: 12px; background: var(--surface); color: var(--ink); font: 700 1.0625rem/1.3 var(--sans); text-decoration: none; cursor: pointer; }
nav a:hover { background: var(--soft); }
nav .primary, button { border-color: transparent; background: var(--accent); color: var(--on-accent); }
nav .primary:hover, button:hover { background: var(--accent-strong); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
code { font-size: 0.875rem; }
`;

const tiles = azulejo('error').replace('<svg ', '<svg aria-hidden="true" ');

/** Headers of a small page, which loads only the site's icon. Its form submits to its own URL. */
export const smallPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src '${cspHash(css)}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
};

interface SmallPage {
  /** Name of the community, if the database is available. */
  siteName?: string;
  title: string;
  /** Inserted without escaping. */
  html: string;
}

/** Renders a page with a title, a text, and links or a form, without React or the database. */
export function smallPage({ siteName = 'tertulia', title, html }: SmallPage): string {
  const [name, heading] = [escapeHtml(siteName), escapeHtml(title)];
  return htmlDocument(
    `<title>${heading} · ${name}</title><style>${css}</style>`,
    `<header><a href="${pageRoutes.home}"><bdi>${name}</bdi></a></header><main>${tiles}<h1>${heading}</h1>${html}</main>`,
  );
}
