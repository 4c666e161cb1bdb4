import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Channel } from '../../../shared/channels.ts';
import { pageRoutes } from '../../../shared/routes.ts';

/** Sends a GET, also with a forged Host header, which `fetch` cannot do. */
const get = (url: URL, headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; body: string; vary: unknown }>((resolve, reject) => {
    const sent = request(url, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode, body, vary: response.headers.vary });
    });
    sent.on('error', reject).end();
  });

const publicUrl = 'https://foro.example';
for (const env of [{ PUBLIC_URL: publicUrl, TRUST_PROXY: '1' }, { TRUST_PROXY: '10' }, {}]) {
  test(`a public response does not depend on cookies, tokens or proxy headers, with ${JSON.stringify(env)}`, async () => {
    await using forum = await Forum.start('sqlite', env as Record<string, string>);
    const channel = await forum.channel(await forum.person());
    const origin = 'PUBLIC_URL' in env ? publicUrl : forum.url;
    for (const path of [
      ...[pageRoutes.home, pageRoutes.profile, pageRoutes.channel(channel._id), '/nada'],
      ...[apiRoutes.channels, apiRoutes.channelComments(channel._id)],
    ]) {
      const url = new URL(path, forum.url);
      // A page made for another Host is not kept for this one.
      await get(url, { host: 'malo.example' });
      const plain = await get(url, {});
      assert.equal(plain.status, path === '/nada' ? 404 : 200);
      for (const headers of [
        { cookie: 'session=x' },
        { authorization: 'Bearer x' },
        { 'x-forwarded-host': 'malo.example', 'x-forwarded-for': 'malo.example' },
        { 'x-forwarded-proto': 'javascript', 'x-forwarded-port': '8080' },
        { forwarded: 'host=malo.example;proto=http', 'x-original-url': '/login' },
        { 'x-forwarded-prefix': '/malo', 'x-http-method-override': 'DELETE' },
        // Without PUBLIC_URL, the Host is the only name of the site.
        ...('PUBLIC_URL' in env ? [{ host: 'malo.example' }] : []),
      ] as Record<string, string>[]) {
        assert.deepEqual(await get(url, headers), plain, `${url} ${JSON.stringify(headers)}`);
      }
      if (path.startsWith('/api/')) continue;
      for (const name of ['og:url', 'og:image']) {
        assert.ok(plain.body.includes(`property="${name}" content="${origin}/`), `${path} ${name}`);
      }
    }
  });
}

test('only the origins in CORS_ORIGINS may read responses', async () => {
  const friend = 'https://amigo.example';
  await using forum = await Forum.start('sqlite', { CORS_ORIGINS: friend });
  for (const [method, url, more] of [
    ['GET', apiRoutes.me, {}],
    ['GET', '/nada', {}],
    ['OPTIONS', apiRoutes.comment, { 'access-control-request-method': 'PUT' }],
  ] as const) {
    const send = async (origin: string) =>
      (await forum.call(method, url, { headers: { origin, ...more } })).headers;
    for (const origin of ['https://malo.example', 'null', `${friend}.malo.example`]) {
      const headers = await send(origin);
      assert.equal(headers.get('access-control-allow-origin'), null, `${url} for ${origin}`);
    }
    const allowed = await send(friend);
    assert.equal(allowed.get('access-control-allow-origin'), friend, url);
    assert.equal(allowed.get('access-control-allow-credentials'), 'true', url);
    assert.match(allowed.get('vary') ?? '', /origin/i, url);
  }
});

test('the server never fetches a URL from user content', async (t) => {
  await using forum = await Forum.start('sqlite');
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
  const body = { name: 'Fuera', description: address, cover: address };
  const { _id } = await forum.json<Channel>('POST', apiRoutes.channels, { token, body });
  await forum.comment(person, _id, `Mirad ${address}`);
  await forum.json('PUT', apiRoutes.updateImage, { token, body: { id: person.id, img: address } });
  const read = await forum.call('GET', pageRoutes.channel(_id));
  assert.match(await read.text(), new RegExp(address));
  assert.equal(connections, 0);
  // Check that the listener was reachable all the time.
  await fetch(address);
  assert.equal(connections, 1);
});
