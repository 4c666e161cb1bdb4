import { Feed } from 'feed';
import { escapeHtml } from '../../http/escape-html.ts';
import { shortLine } from '../../mail/messages/short-line.ts';

/** An entry, with texts as people wrote them. */
interface Entry {
  /** Permanent URL. */
  url: string;
  title: string;
  author: string;
  html: string;
  createdAt: string;
  editedAt: string | null;
}

interface FeedInfo {
  /** URLs of the feed and of the page that shows the same. */
  feedUrl: string;
  pageUrl: string;
  title: string;
  subtitle: string;
  /** When the feed began, for one without entries. */
  createdAt: string;
  entries: Entry[];
}

const titleGraphemes = 100;

/** Any character that XML 1.0 cannot contain, not even escaped. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Makes an Atom feed, as XML. */
export function atomOf(info: FeedInfo): string {
  const updated = new Date(
    Math.max(...[info, ...info.entries].map((one) => Date.parse(changedAt(one)))),
  );
  const feed = new Feed({
    id: info.feedUrl,
    title: elementText(info.title),
    description: elementText(info.subtitle),
    link: info.pageUrl,
    feed: info.feedUrl,
    updated,
    generator: 'tertulia',
  });
  for (const entry of info.entries) {
    feed.addItem({
      id: entry.url,
      link: entry.url,
      // Titles and contents are HTML.
      title: escapeHtml(shortLine(entry.title, titleGraphemes)),
      content: entry.html,
      author: [{ name: elementText(entry.author) }],
      published: new Date(entry.createdAt),
      date: new Date(changedAt(entry)),
    });
  }
  return feed.atom1().toWellFormed().replace(forbidden, '');
}

const changedAt = (one: { createdAt: string; editedAt?: string | null }) =>
  one.editedAt ?? one.createdAt;

/** The library escapes the text of an element, but first turns `&amp;` into `&`. */
function elementText(text: string): string {
  return shortLine(text, titleGraphemes).replaceAll('&', '&amp;');
}
