import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { eventually } from '../eventually.ts';
import { expectProblem } from '../forum/forum.ts';
import type { Person } from '../forum/forum-client.ts';
import { LiveReader } from '../forum/live-reader.ts';
import { Load } from '../load/load.ts';
import { createPostgresDatabase } from '../postgres/create-database.ts';
import { MovingAddress } from '../postgres/moving-address.ts';
import { freePorts } from '../processes/free-ports.ts';
import { ClientAt, ProxiedForum, type ProxyName, proxyPrograms } from './proxies.ts';

const megabyte = 1024 * 1024;

/** Makes a PNG of random noise with about this size. */
async function imageOf(bytes: number): Promise<Buffer> {
  const side = Math.floor(Math.sqrt(bytes / 3));
  const noise = { type: 'gaussian', mean: 128, sigma: 200 } as const;
  const png = await sharp({
    create: { width: side, height: side, channels: 3, background: 'grey', noise },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  assert.ok(Math.abs(png.length - bytes) < 0.1 * megabyte, `${png.length} bytes`);
  return png;
}

for (const name of ['caddy', 'nginx'] as ProxyName[]) {
  const missing = !existsSync(proxyPrograms[name]) && `${proxyPrograms[name]} is not installed`;

  describe(`behind ${name} with the delivered file`, { skip: missing }, () => {
    let forum: ProxiedForum;
    let author: Person;
    let channel: Channel;
    before(async () => {
      forum = await ProxiedForum.start(name);
      author = await forum.person();
      channel = await forum.channel(author);
    });
    after(() => forum?.[Symbol.asyncDispose]());

    test('pages are served over TLS, also by HTTP/2, and HTTP redirects to it', async () => {
      const page = await forum.call('GET', pageRoutes.home);
      assert.equal(page.status, 200);
      assert.ok((await page.text()).includes(`${forum.url}/`), 'links name PUBLIC_URL');
      assert.equal(page.headers.get('strict-transport-security'), 'max-age=63072000');

      const session = connectHttp2(forum.url);
      const stream = session.request({ ':path': pageRoutes.home });
      const [headers] = await once(stream, 'response');
      assert.equal(headers[':status'], 200);
      session.destroy();

      const plain = `http://localhost:${forum.layout.httpPort}`;
      const moved = await fetch(`${plain}/channel/x`, { redirect: 'manual' });
      assert.ok([301, 308].includes(moved.status));
      assert.match(moved.headers.get('location') ?? '', /^https:\/\/localhost.*\/channel\/x$/);
    });

    test('the metrics are not reachable', async () => {
      const response = await forum.call('GET', '/metrics', { headers: { accept: 'text/html' } });
      assert.equal(response.status, 404);
      assert.match(await response.text(), /Página no encontrada/);
    });

    test('an upload of almost 10 MB passes', async () => {
      const response = await forum.upload(author, await imageOf(9.8 * megabyte));
      assert.equal(response.status, 200, await response.text());
    });

    test("an upload of 11 MB gets the forum's own refusal in Spanish", async () => {
      const { code, detail } = JSON.parse(await forum.uploadWithCurl(author, 11 * megabyte));
      assert.equal(code, 'too_large');
      assert.match(detail, /^La imagen pesa 11\sMB; el máximo es 10\sMB\.$/);
    });

    test('live comments arrive at once', async () => {
      const reader = await LiveReader.open(forum, channel._id);
      const { id } = await forum.comment(author, channel._id, 'En directo');
      assert.equal((await reader.nextComment()).id, id);
      reader.close();
    });

    test('a client that stops in the head of its request is disconnected', async () => {
      await forum.sendRaw('GET / HTTP/1.1\r\nHost: localhost\r\nX: ', { isAll: false });
    });

    test('limits count by the address of the client, which a client cannot forge', async () => {
      const search = (from: string, index: number) =>
        forum.from(from, 'GET', `${apiRoutes.search}?q=cine`, {
          'x-forwarded-for': `198.51.100.${index}`,
          forwarded: `for=198.51.100.${index}`,
        });
      const statuses: (number | undefined)[] = [];
      for (let i = 0; i < 301; i++) statuses.push((await search('127.0.0.2', i)).status);
      assert.deepEqual([...new Set(statuses)], [200, 429]);
      assert.equal(statuses.indexOf(429), 300);
      assert.equal((await search('127.0.0.3', 0)).status, 200);
    });

    test('its logs have no words that are searched for, receipts, signatures, links to unsubscribe, to answer or to withdraw words, or addresses of calendars', async () => {
      const secret = 'palabrasecreta';
      const secretUrls = [
        `${apiRoutes.search}?q=${secret}`,
        `${pageRoutes.search}?q=${secret}`,
        apiRoutes.report(secret),
        `/unsubscribe/${secret}`,
        `/rsvp/${secret}`,
        `/withdraw/${secret}`,
        `/calendar/${secret}.ics`,
        `/files/x?signature=${secret}`,
      ];
      for (const url of secretUrls) await forum.call('GET', url);
      // Plain HTTP is redirected, including a request that is rejected because its body is too large.
      const plain = `http://localhost:${forum.layout.httpPort}/unsubscribe/${secret}`;
      await fetch(plain, { redirect: 'manual' });
      await fetch(plain, { redirect: 'manual', method: 'POST', body: Buffer.alloc(2 * megabyte) });
      // A proxy logs more about a request that fails.
      forum.server.kill('SIGKILL');
      await forum.server.ended;
      await Promise.all(secretUrls.map((url) => forum.call('GET', url)));
      await forum.restart();
      // Lines are written in the order of the responses.
      await forum.call('GET', '/ultima');
      const lines = await forum.logLines((line) => line.includes('/ultima'));
      assert.ok(lines.length >= secretUrls.length);
      assert.ok(!(await forum.allLogs()).includes(secret));
    });

    if (name === 'nginx') {
      test('an IPv6 /64 counts as one client, also with groups of zeros', async () => {
        const networkOf = (address: string) => forum.networkOf(address);
        const same = [
          ['2001:db8:0:1::1', '2001:db8:0:1:a:b:c:d'],
          ['2001:db8::1:0:0:5', '2001:db8:0:0:1:2:3:4'],
          ['2001:db8::a:b:c:d', '2001:db8::5'],
          ['::1:2:3:4', '::5'],
          ['2001:db8:a0a:a0a::1', '2001:db8:a0a:a0a:a:a:a:a'],
        ] as const;
        const networks = new Set<string>();
        for (const [one, other] of same) {
          assert.equal(await networkOf(one), await networkOf(other), one);
          networks.add(await networkOf(one));
        }
        assert.equal(networks.size, 4);
        assert.notEqual(await networkOf('192.0.2.1'), await networkOf('192.0.2.2'));
      });
    }

    test('a restart of the server under load loses no page and no comment with Caddy; failures are shown in Spanish', async (t) => {
      const { _id } = await forum.channel(author);
      const ask = async (index: number) => {
        const comment = index % 4 ? undefined : `Comentario ${index}`;
        const response = await (comment === undefined
          ? forum.call('GET', pageRoutes.channel(_id))
          : forum.call('PUT', apiRoutes.comment, {
              token: author.token,
              headers: { 'idempotency-key': randomUUID() },
              body: { id: _id, comment },
            }));
        const retryAfter = response.headers.get('retry-after');
        return { comment, status: response.status, body: await response.text(), retryAfter };
      };
      const responses: ReturnType<typeof ask>[] = [];
      const load = setInterval(() => responses.push(ask(responses.length)), 50);
      t.after(() => clearInterval(load));
      await forum.restart();
      const whileRestarting = responses.length;
      await eventually('requests follow', async () => responses.length >= whileRestarting + 10);
      clearInterval(load);
      const ended = await Promise.all(responses);
      const failed = ended.filter(({ status }) => status !== 200);
      t.diagnostic(`${whileRestarting} requests during the restart, ${failed.length} got 503`);
      if (name === 'caddy') assert.equal(failed.length, 0);
      assert.ok(failed.length <= whileRestarting);
      const stored = (await forum.allComments(_id)).map(({ comment }) => comment);
      assert.equal(new Set(stored).size, stored.length);
      for (const { comment, status } of ended) {
        if (comment && status === 200) assert.ok(stored.includes(comment), comment);
      }
      for (const { status, body, retryAfter } of failed) {
        assert.deepEqual([status, retryAfter], [503, '5']);
        assert.match(body, /Volvemos enseguida/);
      }
    });

    test('visitors get the page of the proxy while the server is down', async () => {
      await forum.server.stop();
      const [response, write] = await Promise.all([
        forum.call('GET', pageRoutes.home),
        forum.call('POST', apiRoutes.channels, { body: {} }),
      ]);
      assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(await response.text(), /Volvemos enseguida/);
      assert.equal(write.status, 503);
      await forum.restart();
    });
  });

  test(`without its database the server's own answer comes through ${name}`, {
    skip: missing,
  }, async () => {
    const database = await createPostgresDatabase();
    await using address = await MovingAddress.start(database.url);
    await using forum = await ProxiedForum.start(name, 1, { DATABASE_URL: address.url });
    assert.equal((await forum.call('GET', '/readyz')).status, 200);
    const [closed] = await freePorts(1);
    address.moveTo(`postgres://127.0.0.1:${closed}`);
    // Long enough for the proxy to ask after the health of the server.
    const endMs = performance.now() + 1500;
    while (performance.now() < endMs)
      await expectProblem(await forum.call('GET', '/readyz'), 503, 'unavailable');
    await forum.server.stop();
    await database.drop();
  });

  describe(`two instances behind ${name}`, { skip: missing }, () => {
    let forum: ProxiedForum;
    let author: Person;
    before(async () => {
      forum = await ProxiedForum.start(name, 2);
      author = await forum.person();
    });
    after(() => forum?.[Symbol.asyncDispose]());

    /** Starts clients in eight networks. The proxy sends some of the networks to each instance. */
    function startLoad(channelId: string): Load {
      const load = new Load();
      for (let network = 0; network < 8; network++) {
        const client = new ClientAt(forum.url, `127.0.${network}.1`);
        if (network % 2) {
          load.repeat(async (turn) => {
            const comment = `Cliente ${network}, ${turn}`;
            await client.json('PUT', apiRoutes.comment, {
              token: author.token,
              // nginx repeats a PUT that gets no response.
              headers: { 'idempotency-key': randomUUID() },
              body: { id: channelId, comment },
            });
            load.acknowledged.push(comment);
          });
          continue;
        }
        load.repeat(async () => {
          const { status } = await client.call('GET', pageRoutes.channel(channelId));
          if (status !== 200) throw new Error(String(status));
        });
      }
      return load;
    }

    async function textsOf(channelId: string): Promise<string[]> {
      return (await forum.allComments(channelId)).map(({ comment }) => comment);
    }

    test('each restarted in turn, fail no request', async (t) => {
      const { _id } = await forum.channel(author);
      const load = startLoad(_id);
      t.after(() => load.stop());
      for (const index of [0, 1, 0, 1]) {
        const done = load.done;
        await eventually('requests follow', async () => load.done > done + 200, 60_000);
        await forum.restart(index);
      }
      await load.stop();
      t.diagnostic(`${load.done} requests, ${load.failures.length} failed`);
      assert.deepEqual(load.failures, []);
      assert.deepEqual((await textsOf(_id)).sort(), load.acknowledged.sort());
    });

    test('fail at most the running requests of one that is killed, and store nothing twice', async (t) => {
      const { _id } = await forum.channel(author);
      const load = startLoad(_id);
      t.after(() => load.stop());
      for (const index of [0, 1]) {
        const done = load.done;
        await eventually('requests follow', async () => load.done > done + 200, 60_000);
        await forum.restart(index, 'SIGKILL');
      }
      await load.stop();
      t.diagnostic(`${load.done} requests, ${load.failures.length} failed`);
      assert.ok(load.failures.length <= 16, load.failures.join('\n'));
      const texts = await textsOf(_id);
      assert.equal(new Set(texts).size, texts.length);
      for (const text of load.acknowledged) assert.ok(texts.includes(text), text);
    });
  });
}
