import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel, ChannelPage } from '../../../shared/channels.ts';
import { assetRoutes, pageRoutes } from '../../../shared/routes.ts';

describe('requests through shared caches and from other sites', () => {
  let forum: Forum;
  let channel: Channel;
  before(async () => {
    forum = await Forum.start('sqlite', {
      PUBLIC_URL: 'https://foro.example',
      TRUST_PROXY: '1',
      CORS_ORIGINS: 'https://amigo.example',
    });
    channel = await forum.channel(await forum.person());
  });
  after(() => forum.stop());

  /** Sends a GET with a forged Host header, which `fetch` cannot do. */
  const get = (url: string, headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; body: string; vary: unknown }>((resolve, reject) => {
      const sent = request(new URL(url, forum.url), { headers }, async (response) => {
        const body = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode, body, vary: response.headers.vary });
      });
      sent.on('error', reject).end();
    });

  test('a public response does not depend on cookie, Host or forwarded headers', async () => {
    const urls = [
      pageRoutes.home,
      pageRoutes.profile,
      pageRoutes.channel(channel._id),
      apiRoutes.channels,
      apiRoutes.channelComments(channel._id),
    ];
    for (const url of urls) {
      const plain = await get(url, {});
      assert.equal(plain.status, 200);
      for (const headers of [
        { cookie: 'session=x' },
        { authorization: 'Bearer x' },
        { host: 'malo.example' },
        { 'x-forwarded-host': 'malo.example' },
        { 'x-forwarded-proto': 'http', 'x-forwarded-port': '8080' },
        { forwarded: 'host=malo.example;proto=http', 'x-original-url': '/login' },
        { 'x-forwarded-prefix': '/malo', 'x-http-method-override': 'DELETE' },
      ]) {
        assert.deepEqual(await get(url, headers), plain, `${url} ${JSON.stringify(headers)}`);
      }
    }
  });

  test('only the origins in CORS_ORIGINS may read responses', async () => {
    for (const [method, url] of [
      ['GET', apiRoutes.channels],
      ['GET', apiRoutes.me],
      ['OPTIONS', apiRoutes.comment],
      ['GET', '/nada'],
    ] as const) {
      const preflight = { 'access-control-request-method': 'PUT' };
      const send = (origin: string) =>
        forum.call(method, url, {
          headers: { origin, ...(method === 'OPTIONS' ? preflight : {}) },
        });
      for (const origin of ['https://malo.example', 'null', 'https://amigo.example.malo.example']) {
        const { headers } = await send(origin);
        assert.equal(headers.get('access-control-allow-origin'), null, `${url} for ${origin}`);
      }
      const allowed = (await send('https://amigo.example')).headers;
      assert.equal(allowed.get('access-control-allow-origin'), 'https://amigo.example', url);
      assert.equal(allowed.get('access-control-allow-credentials'), 'true', url);
      assert.match(allowed.get('vary') ?? '', /origin/i, url);
    }
  });

  test('a form submitted from another site changes nothing, with or without cookies', async () => {
    const before = await forum.json<ChannelPage>('GET', apiRoutes.channels);
    const fields = { name: 'Trampa', description: 'x', cover: assetRoutes.defaultAvatar };
    for (const type of [
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]) {
      const headers = { 'content-type': type, origin: 'https://malo.example', cookie: 'a=b' };
      const post = (url: string, body: string) => forum.call('POST', url, { headers, body });
      const created = await post(apiRoutes.channels, JSON.stringify(fields));
      await expectProblem(created, 401, 'not_signed_in');
      const account = { name: 'X', email: 'trampa@ejemplo.es', password: 'x' };
      const signedUp = await post(apiRoutes.signUp, JSON.stringify(account));
      await expectProblem(signedUp, 415, 'unsupported_media_type');
    }
    assert.deepEqual(await forum.json('GET', apiRoutes.channels), before);
    assert.equal((await forum.signIn('trampa@ejemplo.es', 'x')).status, 401);
  });

  test('the server never fetches a URL from user content', async (t) => {
    let connections = 0;
    const listener = createServer((_request, response) => response.end()).on('connection', () => {
      connections++;
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    t.after(() => listener.close());
    const { port } = listener.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}/a.png`;
    const person = await forum.person();
    const { token } = person;
    const made = await forum.json<Channel>('POST', apiRoutes.channels, {
      token,
      body: { name: 'Fuera', description: address, cover: address },
    });
    await forum.comment(person, made._id, `Mirad ${address}`);
    await forum.json('PUT', apiRoutes.updateImage, {
      token,
      body: { id: person.id, img: address },
    });
    const read = await forum.call('GET', pageRoutes.channel(made._id));
    assert.match(await read.text(), new RegExp(address));
    assert.equal(connections, 0);
    // Check that the listener was reachable all the time.
    await fetch(address);
    assert.equal(connections, 1);
  });
});
