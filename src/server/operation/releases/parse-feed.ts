import { visibleName } from '../../../shared/clean-text.ts';
import type { Release } from '../../../shared/site-settings.ts';

/** Lengths above which a text and a title are cut, and an address is not taken. */
const maxTextChars = 1000;
const maxTitleChars = 100;
const maxUrlChars = 2000;

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads the newest entry of an Atom feed: the one published last, or updated last where the feed does not say when its
 * entries were published. Takes time in proportion to the length of the text, whatever is in it.
 * @param address of the feed, which its links may be relative to
 * @returns undefined when no entry has a title, a time and a link to a web page
 */
export function newestEntry(feed: string, address: string): Release | undefined {
  const entries = feed
    .split('<entry')
    .slice(1)
    .flatMap((text) => readEntry(text, address) ?? []);
  return entries.reduce<Release | undefined>(
    (newest, entry) => (newest && newest.at >= entry.at ? newest : entry),
    undefined,
  );
}

function readEntry(text: string, address: string): Release | undefined {
  const title = visibleName(decode(textOf(text, 'title'))).trim();
  const atMs = Date.parse(textOf(text, 'published') || textOf(text, 'updated'));
  const link = linkOf(text);
  const url = link === '' ? null : URL.parse(link, address);
  if (!title || Number.isNaN(atMs) || !url || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.href.length > maxUrlChars) return undefined;
  const at = new Date(atMs).toISOString();
  return { title: [...title].slice(0, maxTitleChars).join(''), url: url.href, at };
}

/** The beginning of the text of the first element of that name; '' without one. */
function textOf(entry: string, name: string): string {
  const start = entry.indexOf(`<${name}`);
  const begin = entry.indexOf('>', start) + 1;
  const end = entry.indexOf(`</${name}`, begin);
  if (start < 0 || begin === 0 || end < 0) return '';
  return entry.slice(begin, Math.min(end, begin + maxTextChars)).trim();
}

/** The address of the entry's page: of the link without `rel`, or whose `rel` is `alternate`. */
function linkOf(entry: string): string {
  for (const part of entry.split('<link').slice(1)) {
    const tag = part.slice(0, part.indexOf('>')).replace(/\s/g, ' ');
    const rel = attributeOf(tag, 'rel');
    if (rel === '' || rel === 'alternate') return decode(attributeOf(tag, 'href'));
  }
  return '';
}

function attributeOf(tag: string, name: string): string {
  const [, value = ''] = tag.split(` ${name}=`, 2);
  const quote = value.charAt(0);
  return quote === '"' || quote === "'" ? (value.slice(1).split(quote, 1)[0] ?? '') : '';
}

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi;

function decode(text: string): string {
  const verbatim = '<![CDATA[';
  if (text.startsWith(verbatim)) return text.slice(verbatim.length).split(']]>', 1)[0] ?? '';
  const replace = (whole: string, ten?: string, hex?: string, word = '') => {
    if (word) return named[word] ?? whole;
    const code = ten ? Number(ten) : Number.parseInt(hex ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  };
  return text.replace(reference, replace).toWellFormed();
}
