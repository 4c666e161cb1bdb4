import { pageRoutes } from '../../shared/routes.ts';
import { azulejo } from '../azulejo/azulejo.ts';
import { escapeHtml } from '../http/escape-html.ts';
import { cspHash } from '../http/security-headers.ts';
import { htmlDocument } from './render-page.ts';

/** Colours, fonts and sizes are those of the client's base style sheet. */
const css = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf7f2, #16130f);
  --surface: light-dark(#ffffff, #201b16);
  --soft: light-dark(#f3ece1, #2a231c);
  --ink: light-dark(#221c16, #efe7dc);
  --muted: light-dark(#6b5f53, #b3a698);
  --line: light-dark(#e7dfd3, #352d25);
  --edge: light-dark(#8d8172, #7d7163);
  --accent: light-dark(#a63d1a, #f08a5d);
  --accent-strong: light-dark(#8a3114, #f5a07a);
  --on-accent: light-dark(#ffffff, #16130f);
  --serif: ui-serif, "Noto Serif", "Iowan Old Style", "Palatino Linotype", Georgia, serif;
  --sans: system-ui, sans-serif;
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--sans); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; }
header { border-bottom: 1px solid var(--line); }
header a { display: flex; align-items: center; max-width: 1000px; min-height: 68px; margin: 0 auto; padding: 0 20px; color: inherit; font: 700 1.75rem/1 var(--serif); letter-spacing: -0.02em; text-decoration: none; }
main { display: grid; gap: 16px; justify-items: center; max-width: 600px; margin: 0 auto; padding: 28px 20px 56px; text-align: center; }
svg { display: block; width: 100%; max-width: 560px; height: auto; margin-bottom: 16px; border-radius: 18px; }
h1 { margin: 0; font: 700 2rem/1.2 var(--serif); letter-spacing: -0.01em; }
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

/** Headers of a small page, which loads nothing but the site's icon. Its form goes to its own address. */
export const smallPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src '${cspHash(css)}'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
};

/** Renders a page of a title, a text and links or a form, without React or the database. @param html is written as it is */
export function smallPage({ title, html }: { title: string; html: string }): string {
  const escaped = escapeHtml(title);
  return htmlDocument(
    `<title>${escaped} · tertulia</title><style>${css}</style>`,
    `<header><a href="${pageRoutes.home}">tertulia</a></header><main>${tiles}<h1>${escaped}</h1>${html}</main>`,
  );
}
