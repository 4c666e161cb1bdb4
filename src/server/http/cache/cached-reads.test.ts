import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { eventually } from '../../../../test/eventually.ts';
import { onEngine } from '../../../../test/forum/both-engines.ts';
import { changeSettings, reviewFirstPosts } from '../../../../test/forum/change-settings.ts';
import { Forum } from '../../../../test/forum/forum.ts';
import { decided, staff } from '../../../../test/forum/moderators.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { pageRoutes, withQuery } from '../../../shared/routes.ts';
import { openDatabase } from '../../database/engine.ts';

/** Returns the entity tags of all public reads that show a channel. */
async function tagsOf(forum: Forum, channel: Channel): Promise<Record<string, string>> {
  const reads = {
    home: pageRoutes.home,
    page: pageRoutes.channel(channel._id),
    list: withQuery(apiRoutes.channels, { limit: 20, comments: 0 }),
    channel: withQuery(apiRoutes.channel(channel._id), { comments: 20 }),
    comments: withQuery(apiRoutes.channelComments(channel._id), { limit: 20 }),
  };
  const tags = Object.entries(reads).map(async ([name, url]) => {
    const response = await forum.call('GET', url);
    await response.arrayBuffer();
    // Each content encoding has its own entity tag.
    const etag = response.headers.get('etag') ?? '';
    return [name, etag.replace(/-1"$/, '"')] as const;
  });
  return Object.fromEntries(await Promise.all(tags));
}

function changed(before: Record<string, string>, now: Record<string, string>): string[] {
  return Object.keys(before).filter((name) => before[name] !== now[name]);
}

onEngine('sqlite', 'cached responses', (forum) => {
  test('a matching If-None-Match gets 304 with the same headers', async () => {
    const channel = await forum().channel(await forum().person());
    for (const [url, cacheControl] of [
      [pageRoutes.home, 'public, max-age=0, s-maxage=1, stale-while-revalidate=30'],
      [apiRoutes.channelComments(channel._id), 'public, no-cache'],
    ] as const) {
      const first = await forum().call('GET', url);
      assert.equal(first.headers.get('cache-control'), cacheControl);
      const etag = first.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]{22}((-gzip|-br)(-1)?)?"$/, url);
      assert.match(first.headers.get('vary') ?? '', /accept-encoding/);
      const again = await forum().call('GET', url, {
        headers: { 'if-none-match': `"other", W/${etag}` },
      });
      assert.equal(again.status, 304, url);
      assert.equal(await again.text(), '');
      for (const name of ['etag', 'vary', 'cache-control', 'content-security-policy']) {
        assert.equal(again.headers.get(name), first.headers.get(name), `${url} ${name}`);
      }
      const other = await forum().call('GET', url, { headers: { 'if-none-match': '"other"' } });
      assert.equal(other.status, 200);
    }
  });

  test('each client gets an encoding that it accepts, which decodes to the same bytes', async () => {
    await forum().channel(await forum().person());
    const url = `${forum().url}${pageRoutes.home}`;
    const encodedAs = async (accept: string) => {
      // `fetch` would decode the body.
      const { body, headers } = await rawGet(url, { 'accept-encoding': accept });
      return { body, encoding: headers['content-encoding'], etag: headers.etag };
    };
    const plain = await encodedAs('identity');
    const etags = new Set([plain.etag]);
    for (const [accept, expected, decode] of [
      ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['compress', undefined, Buffer.from],
    ] as const) {
      const { body, encoding, etag } = await encodedAs(accept);
      assert.equal(encoding, expected, accept);
      assert.ok(decode(body).equals(plain.body), accept);
      etags.add(etag);
    }
    assert.equal(etags.size, 4);
  });

  test('a URL without parameters is the key of its own response', async () => {
    const ana = await forum().person();
    const channel = await forum().channel(ana);
    const { number } = await forum().comment(ana, channel._id, 'Hola');
    for (const url of [
      ...[apiRoutes.channels, apiRoutes.channel(channel._id)],
      ...[apiRoutes.channelComments(channel._id), apiRoutes.replies(channel._id, number)],
      ...[apiRoutes.thanks(channel._id, number), apiRoutes.userChannels(ana.id)],
      apiRoutes.userComments(ana.id),
    ]) {
      assert.equal((await forum().call('GET', url)).status, 200, url);
      assert.ok(forum().services.responses.cached(` ${url}`), url);
    }
  });

  test('a first post that is approved names its author in channels where it gave thanks', async () => {
    const eva = await staff(forum());
    const { _id } = await forum().channel(eva, 'Cine');
    const { number } = await forum().comment(eva, _id, 'Hola');
    const ana = await forum().person('Ana');
    const { token } = ana;
    await forum().json('PUT', apiRoutes.thanks(_id, number), { token });
    await reviewFirstPosts(forum());
    const names = async () => {
      const url = apiRoutes.channelComments(_id);
      const { data } = await forum().json<{ data: Comment[] }>('GET', url);
      return data[0]?.thanks.names;
    };
    assert.deepEqual(await names(), []);
    const other = await forum().channel(eva, 'Huerto');
    const body = { id: other._id, comment: 'Buenas' };
    const { id } = await forum().json<PendingPost>('PUT', apiRoutes.comment, { token, body });
    await decided(forum(), eva, { subject: { kind: 'comment', id }, action: 'approve' });
    assert.deepEqual(await names(), ['Ana']);
    await changeSettings(forum(), {});
  });

  test('a forged Host header cannot put one page in the cache entry of another', async () => {
    const { host } = new URL(forum().url);
    const page = pageRoutes.channel('login');
    assert.equal((await forum().call('GET', page)).status, 404);
    const forged = `${host}${page.slice(0, -'/login'.length)}`;
    await rawGet(`${forum().url}${pageRoutes.login}`, { host: forged });
    assert.equal((await forum().call('GET', page)).status, 404);
  });

  test('a change is in the next response that shows it, and other responses keep their tags', async () => {
    const ana = await forum().person();
    const channel = await forum().channel(ana);
    let tags = await tagsOf(forum(), channel);
    const nowChanged = async () => {
      const now = await tagsOf(forum(), channel);
      const names = changed(tags, now);
      tags = now;
      return names;
    };
    assert.deepEqual(await nowChanged(), []);
    await forum().comment(ana, channel._id, 'Hola');
    assert.deepEqual(await nowChanged(), ['home', 'page', 'list', 'channel', 'comments']);
    await forum().channel(ana, 'Otro');
    assert.deepEqual(await nowChanged(), ['home', 'list']);
    await forum().call('PUT', apiRoutes.updateImage, { token: ana.token, body: { img: null } });
    assert.deepEqual(await nowChanged(), ['home', 'page', 'list', 'channel', 'comments']);
  });
});

test('on SQLite, a response shows changes by a command a moment later', async () => {
  await using forum = await Forum.start('sqlite');
  const { _id } = await forum.channel(await forum.person(), 'Antes');
  const page = async () => (await forum.call('GET', pageRoutes.channel(_id))).text();
  assert.match(await page(), /Antes/);
  const beside = openDatabase(forum.services.config);
  await beside.updateTable('channels').set({ name: 'Después' }).where('id', '=', _id).execute();
  await beside.destroy();
  await eventually('the page shows it', async () => /Después/.test(await page()));
});

describe('two servers with caches on one database', () => {
  let first: Forum;
  let second: Forum;
  before(async () => {
    first = await Forum.start('postgres');
    second = await first.another();
    await eventually('both listen', async () =>
      [first, second].every((forum) => forum.services.live.isListening),
    );
  });
  after(async () => {
    await second?.stop();
    await first?.stop();
  });

  test('a change on one server evicts cached responses on the other', async () => {
    const ana = await first.person();
    const channel = await first.channel(ana);
    const tags = await tagsOf(second, channel);
    await first.comment(ana, channel._id, 'Hola');
    await eventually('the other server shows it', async () => {
      const names = changed(tags, await tagsOf(second, channel));
      return names.length === Object.keys(tags).length;
    });
  });

  test('a server whose notification connection is lost reads from the database until it listens again', async () => {
    const ana = await first.person();
    const channel = await first.channel(ana);
    const count = async () => {
      const url = apiRoutes.channelComments(channel._id);
      return (await second.json<ChannelPage>('GET', url)).data.length;
    };
    assert.equal(await count(), 0);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'tertulia live'
    `.execute(first.services.db);
    await eventually('the loss is noticed', async () => !second.services.live.isListening);
    await first.comment(ana, channel._id, 'Hola');
    assert.equal(await count(), 1);
    await eventually('it listens again', async () => second.services.live.isListening);
    assert.equal(await count(), 1);
  });
});

function rawGet(url: string, sent: Record<string, string>) {
  return new Promise<{
    status: number | undefined;
    body: Buffer;
    headers: IncomingHttpHeaders;
  }>((resolve, reject) => {
    const request = get(url, { headers: sent }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, body: Buffer.concat(await response.toArray()), headers });
    });
    request.on('error', reject);
  });
}
