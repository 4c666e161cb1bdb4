import { shownAddress, shownHost } from '../../http/site-origin.ts';
import { Html, html } from './html.ts';
import type { Part } from './parts.ts';
import { shortName } from './short-line.ts';

export interface Message {
  subject: string;
  text: string;
  html: string;
}

/** The community that sends the mail. */
export interface Place {
  communityName: string;
  publicUrl: string;
}

export const communityOf = ({ communityName }: Place) => shortName(communityName, 60);

/**
 * Colours and fonts match the client's base style sheet. Mail programs that ignore the style sheet apply their own to
 * headings, paragraphs, quotations and links.
 */
const css = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #faf7f2; color: #221c16; font: 17px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; -webkit-text-size-adjust: 100%; }
main, header, footer { max-width: 560px; margin: 0 auto; padding: 0 20px; overflow-wrap: anywhere; word-break: break-word; }
header { padding-top: 28px; }
header a { color: #221c16; font: 700 24px/1.2 "Iowan Old Style", "Palatino Linotype", Georgia, serif; letter-spacing: -0.02em; text-decoration: none; }
h1, h2 { margin: 0 0 16px; font: 700 26px/1.25 "Iowan Old Style", "Palatino Linotype", Georgia, serif; letter-spacing: -0.01em; }
h2 { margin: 32px 0 8px; font-size: 20px; }
p { margin: 0 0 16px; }
a { color: #a63d1a; text-underline-offset: 3px; }
.tiles { height: 16px; margin: 16px 0 32px; border-radius: 4px; background-color: #f3d9b1; background-image: linear-gradient(45deg, #a63d1a 25%, transparent 25%, transparent 75%, #a63d1a 75%), linear-gradient(-45deg, #e8a33d 25%, transparent 25%, transparent 75%, #23415a 75%); background-size: 16px 16px; }
.line { margin: 0 0 6px; font-weight: 700; }
blockquote { margin: 0 0 24px; padding: 2px 0 2px 16px; border-left: 3px solid #e8a33d; color: #6b5f53; }
ul { margin: 0 0 16px; padding: 0; list-style: none; }
li { padding: 10px 0; border-top: 1px solid #e7dfd3; }
.button { display: inline-block; margin: 8px 0; padding: 12px 22px; border-radius: 12px; background: #a63d1a; color: #ffffff; font-weight: 700; text-decoration: none; }
.answer { display: inline-block; margin: 6px 6px 0 0; padding: 10px 16px; border: 1px solid; border-radius: 12px; font-weight: 700; text-decoration: none; white-space: nowrap; }
.small, footer { color: #6b5f53; font-size: 14px; }
footer { padding-top: 20px; padding-bottom: 40px; }
footer p { padding-top: 20px; border-top: 1px solid #e7dfd3; }
footer a { color: #6b5f53; }
@media (prefers-color-scheme: dark) {
  body { background: #16130f; color: #efe7dc; }
  header a { color: #efe7dc; }
  a { color: #f08a5d; }
  blockquote { color: #b3a698; }
  li, footer p { border-color: #352d25; }
  .button { background: #f08a5d; color: #16130f; }
  .small, footer, footer a { color: #b3a698; }
}
`;

interface Content {
  subject: string;
  heading: string | Html;
  parts: Part[];
  /** Why the recipient gets the message. */
  end?: Part;
}

/** Makes lines that start with an isolated name start at the left, even in programs that do not support isolates. */
const fromLeft = (text: string) => text.replace(/^(?=\u2068)/gm, '\u200e');

/** Composes a message in plain text and in HTML that loads nothing. */
export function compose(place: Place, { heading, parts, end, ...content }: Content): Message {
  const community = communityOf(place);
  const subject = fromLeft(content.subject);
  const document = html`<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${new Html(css)}</style>
</head>
<body dir="ltr">
<header><a href="${place.publicUrl}"><bdi>${community}</bdi></a><div class="tiles"></div></header>
<main>
<h1>${heading}</h1>
${parts.map((part) => part.html)}
</main>
<footer>${end?.html ?? html`<p><a href="${place.publicUrl}">${shownHost(place.publicUrl)}</a></p>`}</footer>
</body>
</html>
`;
  const signature = end?.text ?? `${community}\n${place.publicUrl}`;
  const text = [...parts.map((part) => part.text), `-- \n${signature}`].join('\n\n');
  const shown = text.replaceAll(place.publicUrl, shownAddress(place.publicUrl));
  return { subject, text: `${fromLeft(shown)}\n`, html: document.code };
}
