import assert from 'node:assert/strict';
import { test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { onBothEngines } from '../../../../test/forum/both-engines.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { someDates } from '../../../../test/forum/dated-comment.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { insertComments } from '../../../../test/forum/insert-comments.ts';
import { decided, staff } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { commentId } from '../../../shared/comment-id.ts';
import { commentLink, pageRoutes } from '../../../shared/routes.ts';
import { toStoredText } from '../../texts/stored-text.ts';
import { feedPaths } from './head-links.ts';
import { channelsPerPart } from './sitemap-queries.ts';

/** The texts of all elements of this name, without their attributes and CDATA marks. */
const textsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 'gs'))].map(([, text = '']) =>
    text.replace(/^<!\[CDATA\[(.*)\]\]>$/s, '$1'),
  );

onBothEngines('feeds, sitemap and robots.txt', (forum) => {
  const read = async (url: string, headers: Record<string, string> = {}) => {
    const response = await forum().call('GET', url, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('a feed has the newest fifty comments of a channel or channels of the site, without what is hidden, deleted or no text of XML', async () => {
    const ana = await forum().person('Ana ]]> & <b>');
    const { _id } = await forum().channel(ana, `Cine \u202e&amp; ${'👨‍👩‍👧‍👦'.repeat(10)}`);
    const hostile = `]]> ]]> <script>alert(1)</script> & ${'👨‍👩‍👧‍👦'.repeat(80)}\nfin`;
    await insertComments(forum(), _id, ana.id, 60, (number) => ({
      text: toStoredText(number === 58 ? 'uno\u0007\u000b\ufffe dos' : `${hostile} ${number}`),
    }));
    await forum().json('DELETE', apiRoutes.channelComment(_id, 57), ana);
    const { headers, text } = await read(feedPaths.channel(_id));
    assert.equal(headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const ids = textsOf(text, 'id').slice(1);
    const numbers = Array.from({ length: 51 }, (_, index) => 60 - index).filter((n) => n !== 57);
    assert.deepEqual(
      ids,
      numbers.map((number) => forum().url + commentLink(_id, number)),
    );
    assert.doesNotMatch(text, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    assert.ok(text.includes('<p>uno dos</p>'));
    assert.ok(!text.includes('<script>'));
    assert.equal(textsOf(text, 'name')[0], 'Ana ]]&gt; &amp; &lt;b&gt;');
    const [feedTitle = '', title = ''] = textsOf(text, 'title');
    assert.match(feedTitle, /^Cine &amp;amp; (👨‍👩‍👧‍👦){10} · tertulia$/u);
    assert.match(title, /^Ana \]\]&gt; &amp; &lt;b&gt;: \]\]&gt; .*👨‍👩‍👧‍👦…$/u);
    assert.match(textsOf(text, 'content')[0] ?? '', /&lt;script&gt;alert\(1\).*<br>fin 60<\/p>$/);

    const site = await read(feedPaths.channels);
    assert.ok(textsOf(site.text, 'id').includes(forum().url + pageRoutes.channel(_id)));
    await forum().json('DELETE', apiRoutes.channel(_id), ana);
    const without = await read(feedPaths.channels);
    assert.ok(!without.text.includes(_id));
    await expectProblem(
      await forum().call('GET', feedPaths.channel(_id)),
      404,
      'channel_not_found',
    );
  });

  test('a reader that has the feed gets 304 by its tag alone, until something is written, edited, deleted or hidden', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    await forum().comment(ana, _id, 'Hola');
    const url = feedPaths.channel(_id);
    await forum().comment(ana, _id, 'Bórrame');
    const eva = await staff(forum());
    const subject = { kind: 'comment' as const, id: commentId(_id, 1) };
    for (const change of [
      () => forum().edit(ana, _id, 1, 'Adiós'),
      () => forum().json('DELETE', apiRoutes.channelComment(_id, 2), ana),
      () => decided(forum(), eva, { subject, action: 'hide' }),
    ]) {
      const { headers } = await read(url);
      assert.equal(headers.get('last-modified'), null);
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      assert.equal((await read(url, known)).status, 304);
      await change();
      assert.equal((await read(url, known)).status, 200);
      const since = { 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() };
      assert.equal((await read(url, since)).status, 200);
    }
    assert.equal(textsOf((await read(url)).text, 'entry').length, 0);
  });

  test('an entry says when and where the dates of its comment are', async () => {
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    await forum().comment(ana, _id, '', { event: someDates });
    const { text } = await read(feedPaths.channel(_id));
    assert.match(text, /Ana: Reunión/);
    assert.match(text, /3 de junio, 20:30, en Local/);
  });

  test('the sitemap lists every visible channel, in parts named by an index when there are many', async () => {
    const { db } = forum().services;
    const ana = await forum().person('Ana');
    const { _id } = await forum().channel(ana);
    const few = await read('/sitemap.xml');
    assert.ok(
      few.text.includes(`<url><loc>${forum().url}${pageRoutes.channel(_id)}</loc><lastmod>`),
    );
    const row = await db
      .selectFrom('channels')
      .selectAll()
      .where('id', '=', _id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 2 * channelsPerPart }, () => ({ ...row, id: uuidv7() }))
      .map((one) => ({ ...one, key_hash: null, request_hash: null }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    for (let start = 0; start < rows.length; start += 500) {
      await db
        .insertInto('channels')
        .values(rows.slice(start, start + 500))
        .execute();
    }
    // Empties the cache, as any change does.
    await forum().comment(ana, _id, 'Hola');
    const index = await read('/sitemap.xml');
    const parts = textsOf(index.text, 'loc');
    assert.match(index.text, /<sitemapindex /);
    assert.equal(parts.length, 3);
    const listed: string[] = [];
    for (const part of parts) {
      const { text } = await read(part.replace(forum().url, ''));
      listed.push(...textsOf(text, 'loc'));
    }
    assert.equal(listed[0], `${forum().url}/`);
    for (const { id } of rows) assert.ok(listed.includes(forum().url + pageRoutes.channel(id)));
    assert.equal(new Set(listed).size, listed.length);
    await expectProblem(
      await forum().call('GET', '/sitemap.xml?after=<a>'),
      400,
      'invalid_request',
    );
  });

  test('a channel’s page has the fields that search engines require of a discussion, and leads to its feed, only while everybody may read; afterwards search engines may ask again, to forget it', async () => {
    const ana = await forum().person('Ana </script><!--');
    const { _id, createdAt } = await forum().channel(ana, '</script><script>alert(1)</script>');
    const url = pageRoutes.channel(_id);
    const { text, headers } = await read(url);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    const posting = JSON.parse(json);
    assert.ok(!json.includes('<'));
    assert.equal(posting['@context'], 'https://schema.org');
    assert.equal(posting['@type'], 'DiscussionForumPosting');
    // Google requires these.
    assert.equal(posting.author['@type'], 'Person');
    assert.equal(posting.author.name, 'Ana </script><!--');
    assert.equal(posting.datePublished, createdAt);
    assert.ok(posting.text.length > 0);
    // And recommends these.
    assert.equal(posting.headline, '</script><script>alert(1)</script>');
    assert.equal(posting.url, forum().url + url);
    assert.equal(posting.author.url, forum().url + pageRoutes.user(ana.id));
    assert.equal(posting.interactionStatistic.userInteractionCount, 0);
    const feedOf = (html: string) =>
      /<link rel="alternate" type="application\/atom\+xml" [^>]*href="([^"]+)"/.exec(html)?.[1];
    assert.equal(feedOf(text), feedPaths.channel(_id));
    assert.equal(feedOf((await read(pageRoutes.home)).text), feedPaths.channels);
    const robots = await read('/robots.txt');
    assert.match(robots.text, /^User-agent: \*\nAllow: \/\nDisallow: \/api\/\n/);

    const readers = 'members' as const;
    await changeSettings(forum(), { readers, contact: 'marta@coro.example' });
    assert.equal((await read('/robots.txt')).text, robots.text);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const forgotten = await read(url, known);
    assert.deepEqual([forgotten.status, forgotten.headers.get('x-robots-tag')], [200, 'noindex']);
    const { token } = ana;
    const forMember = await forum().call('GET', url, { token });
    assert.doesNotMatch(await forMember.text(), /ld\+json|atom\+xml/);
    for (const closed of [feedPaths.channels, feedPaths.channel(_id), '/sitemap.xml'])
      await expectProblem(await forum().call('GET', closed), 401, 'not_signed_in');
    await changeSettings(forum(), {});
  });
});

test('feeds are served from the cache, without counting, to however many ask, and name the public address', async () => {
  await using forum = await Forum.start('sqlite', {
    RATE_LIMITS: 'on',
    PUBLIC_URL: 'https://foro.example',
  });
  const { _id } = await forum.channel(await forum.person());
  const url = feedPaths.channel(_id);
  // More than the budget for reads that miss the cache, without connections, which cost most.
  for (let asked = 0; asked <= 2400; asked++)
    assert.equal((await forum.app.inject(url)).statusCode, 200);
  const feed = await (await forum.call('GET', url)).text();
  assert.ok(feed.includes(`<id>https://foro.example${url}</id>`));
  const robots = await (await forum.call('GET', '/robots.txt')).text();
  assert.match(robots, /\nSitemap: https:\/\/foro\.example\/sitemap\.xml\n$/);
});
