import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestEntry } from './parse-feed.ts';

const address = 'https://git.example/foro/releases.atom';
const at = '2026-12-01T10:00:00.000Z';
const entry = (title: string, link: string, updated = at, more = '') =>
  `<entry><id>x</id>${more}<title>${title}</title>${link}<updated>${updated}</updated></entry>`;
const feed = (...entries: string[]) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Foro</title><link href="/"/>${entries.join('')}</feed>`;
const read = (...entries: string[]) => newestEntry(feed(...entries), address);

test('the newest entry is the one published last, or else updated last', () => {
  const link = '<link rel="alternate" type="text/html" href="https://git.example/1"/>';
  const early = '<published>2026-10-01T00:00:00Z</published>';
  const newest = read(
    entry('1.0.1, corrected later', link, '2026-12-20T00:00:00Z', early),
    entry('1.1.0', link, '2026-12-02T01:00:00+01:00'),
    entry('1.0.0', link, '2026-11-28T00:00:00Z'),
  );
  const url = 'https://git.example/1';
  assert.deepEqual(newest, { title: '1.1.0', url, at: '2026-12-02T00:00:00.000Z' });
});

test('titles and links are read as XML writes them', () => {
  for (const [title, link, expected] of [
    ['v1 &amp; m&#225;s &#xF1; &lt;b&gt;', '<link href="/a?b=1&amp;c=2"/>', 'v1 & más ñ <b>'],
    [
      '<![CDATA[v1 & <b>]]>',
      "<link rel='enclosure' href='x'/><link\n\trel='alternate'\n\thref='/a?b=1&amp;c=2'>",
      'v1 & <b>',
    ],
    ['\n  v1\n  \u202e!&#x202e;  ', '<link href="/a?b=1&amp;c=2" />', 'v1 !'],
  ] as const) {
    const { title: read1, url } = read(entry(title, link)) ?? {};
    assert.deepEqual([read1, url], [expected, 'https://git.example/a?b=1&c=2']);
  }
});

test('an entry without a title, a time or a link to a web page is passed over', () => {
  for (const entries of [
    [],
    ['<entry>'],
    [entry('', '<link href="/"/>')],
    [entry('v1', '')],
    [entry('v1', '<link href="javascript:alert(1)"/>')],
    [entry('v1', `<link href="/${'x'.repeat(3000)}"/>`)],
    [entry('v1', '<link rel="enclosure" href="/"/>')],
    [entry('v1', '<link href="/"/>', 'yesterday')],
    ['<entry><title>v1<updated>'],
  ]) {
    assert.equal(read(...entries), undefined);
  }
  assert.equal(newestEntry('<html>not found</html>', address), undefined);
  assert.equal(read(entry('ñ'.repeat(500), '<link href="/"/>'))?.title.length, 100);
});

test('a long feed of unfinished parts is read', () => {
  for (const part of [
    '<entry',
    '<entry><title',
    '<title>',
    '<link ',
    '<link rel=',
    '&',
    '&#1',
    '<![CDATA[',
  ]) {
    assert.equal(newestEntry(part.repeat(1_000_000 / part.length), address), undefined);
    const text = entry(part.repeat(1_000_000 / part.length), '<link href="/"/>');
    newestEntry(text, address);
  }
});
