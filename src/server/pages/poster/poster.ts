import { encode } from 'uqr';
import type { HomeAnnouncement } from '../../../shared/announcements.ts';
import { whenAndWhere } from '../../../shared/event-change-texts.ts';
import { timeText } from '../../../shared/event-texts.ts';
import type { CalendarDate } from '../../../shared/events.ts';
import type { OpenPoll } from '../../../shared/polls.ts';
import { assetRoutes, commentLink, pageRoutes } from '../../../shared/routes.ts';
import { siteNameOf, siteTile } from '../../../shared/site-name.ts';
import type { Readers } from '../../../shared/site-settings.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { cspHash } from '../../http/security-headers.ts';
import { timeIn } from '../../system/zones.ts';
import { htmlDocument } from '../render-page.ts';

/** Rows of each kind at most. */
export const posterRows = { announcements: 2, dates: 6, polls: 2, channels: 3 };
/** Rows that fill two pages of A4: five below the header on the first, six and the foot on the second. */
const allRows = 11;

/** On paper rows have a fixed height, and longer texts are cut, so that texts of any length fit. On a screen they grow. */
const css = `
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
html { background: #fff; color: #000; font: 16pt/1.25 system-ui, sans-serif; }
body { width: 186mm; max-width: 100%; margin: 0 auto; }
h1, h2, p { margin: 0; overflow-wrap: anywhere; }
h1, h2, header p, li p { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
h1, h2 { -webkit-line-clamp: 2; }
h1 { font: 700 2.125em/1.2 ui-serif, Georgia, serif; }
h2 { font: 700 1.25em/1.2 ui-serif, Georgia, serif; }
header, li, footer { display: flex; gap: 4mm 8mm; align-items: center; }
header { align-items: start; min-height: 34mm; }
div { flex: 1 1 10em; min-width: 0; }
header img { width: 48mm; height: 19.2mm; }
header p { margin-top: 3mm; }
ul { margin: 0; padding: 0; list-style: none; }
li, footer { min-height: 38mm; border-top: 0.5mm solid #000; break-inside: avoid; }
li p { margin-top: 1mm; }
footer p + p { margin-top: 2mm; font-size: 0.75em; }
svg { display: block; flex: none; width: 30mm; height: 30mm; }
nav { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin-bottom: 8mm; }
nav a, nav button { padding: 10px 20px; color: inherit; font: inherit; cursor: pointer; }
@media screen {
  body { padding: 16px; }
  header, li, footer { flex-wrap: wrap; padding-block: 4mm; }
}
@media print {
  nav { display: none; }
  h1, h2 { max-height: 2.4em; }
  header p, li p { max-height: 3.75em; }
  header { max-height: 58mm; overflow: hidden; }
  li, footer { height: 38mm; }
}
`;

const script =
  "const b=document.querySelector('button');b.hidden=false;b.addEventListener('click',()=>print())";

export const posterHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src '${cspHash(css)}'; script-src '${cspHash(script)}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'private, no-cache',
  'x-robots-tag': 'noindex',
};

interface PosterContent {
  site: { name: string; welcome: string; readers: Readers };
  /** The community's. */
  zone: string;
  origin: string;
  /** Newest first. */
  announcements: HomeAnnouncement[];
  /** Soonest first. */
  dates: CalendarDate[];
  /** Closing soonest first. */
  polls: OpenPoll[];
  /** The liveliest first. */
  channels: { id: string; name: string; description: string }[];
}

/** A sheet to be printed: announcements, the next dates, open polls and lively channels in large print, each with a QR code. */
export function renderPoster({
  site,
  zone,
  origin,
  announcements,
  dates,
  polls,
  channels,
}: PosterContent): string {
  const name = escapeHtml(siteNameOf(site));
  const row = (title: string, text: string, path: string) =>
    `<li><div><h2 dir="auto">${title}</h2><p dir="auto">${isolated(text)}</p></div>${qrCode(origin + path)}</li>`;
  const rows = [
    ...announcements.map(({ channel, number, comment }) =>
      row('Comunicado', comment, commentLink(channel._id, number)),
    ),
    ...dates.map(({ channel, number, title, location, date }) =>
      row(isolated(title), whenAndWhere({ ...date, location }), commentLink(channel._id, number)),
    ),
    ...polls.map(({ channel, number, title, closesAt }) => {
      const start = timeIn(zone, Date.parse(closesAt)).toPlainDateTime();
      const until = timeText({ start: start.toString({ smallestUnit: 'minute' }), end: null });
      return row(
        isolated(title),
        `Encuesta abierta hasta el ${until}`,
        commentLink(channel._id, number),
      );
    }),
    ...channels.map(({ id, name, description }) =>
      row(isolated(name), description, pageRoutes.channel(id)),
    ),
  ];
  const address = origin.replace(/^https?:\/\//, '');
  const whoReads =
    site.readers === 'members'
      ? '<p>Esta comunidad es solo para sus miembros: cuelga esta hoja donde la lean ellos.</p>'
      : '';
  return htmlDocument(
    `<title>Cartel para imprimir · ${name}</title><style>${css}</style>`,
    `<nav><a href="${pageRoutes.calendar}">Volver a la agenda</a><button hidden>Imprimir</button></nav>` +
      `<header><div><h1><bdi>${name}</bdi></h1><p>${isolated(site.welcome)}</p></div>` +
      `<img src="${assetRoutes.azulejo(siteTile(site))}" alt=""></header>` +
      `<main><ul>${rows.slice(0, allRows).join('')}</ul></main>` +
      `<footer><div><p>${escapeHtml(address)}</p>${whoReads}</div>${qrCode(`${origin}/`)}</footer>` +
      `<script>${script}</script>`,
  );
}

const isolated = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`;

/** A QR code as SVG, with the quiet zone that scanners need. */
function qrCode(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return `<svg viewBox="0 0 ${size} ${size}" aria-hidden="true"><path d="${squares.join('')}" shape-rendering="crispEdges"/></svg>`;
}
