import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { quarters } from '../../../test/attacks/hostile-images.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { Problem } from '../../shared/errors.ts';
import { assetRoutes, pageRoutes } from '../../shared/routes.ts';

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'strict-transport-security': 'max-age=63072000',
};

describe('security headers', () => {
  let forum: Forum;
  before(async () => {
    forum = await Forum.start('sqlite', { PUBLIC_URL: 'https://foro.example' });
  });
  after(() => forum.stop());

  test('are sent with every kind of response', async () => {
    const owner = await forum.person();
    const { token } = owner;
    const channel = await forum.channel(owner);
    const uploaded = await forum.upload(owner, await quarters(40, 16).png().toBuffer());
    const { fullPath } = (await uploaded.clone().json()) as { fullPath: string };
    const file = assetRoutes.file(fullPath);
    const get = (url: string, headers = {}) => forum.call('GET', url, { headers });
    const again = async (url: string) => {
      const etag = (await get(url)).headers.get('etag') ?? '';
      // fetch adds `no-cache` to a conditional request unless this header is set.
      return get(url, { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    };
    const page = await get(pageRoutes.home);
    const script = /<script type="module" src="([^"]+)"/.exec(await page.clone().text())?.[1] ?? '';
    const shown = { 'cross-origin-resource-policy': 'cross-origin' };
    const answers: [
      what: string,
      status: number,
      answer: Response,
      but?: Partial<typeof always>,
    ][] = [
      ['a page', 200, page],
      ['a page', 200, page],
      ['a page again', 304, await again(pageRoutes.home)],
      ['no page', 404, await get('/nada')],
      ['a list again', 304, await again(apiRoutes.channels)],
      ['an own account', 200, await forum.call('GET', apiRoutes.me, { token })],
      ['no session', 401, await get(apiRoutes.me)],
      ['a wrong body', 400, await forum.call('POST', apiRoutes.signUp, { body: '{' })],
      ['a wrong method', 404, await forum.call('PUT', apiRoutes.channels)],
      ['a live stream', 200, await get(apiRoutes.channelLive(channel._id))],
      ['an upload', 200, uploaded],
      ['no upload', 401, await forum.call('POST', apiRoutes.uploads)],
      ['an image again', 304, await again(file), shown],
      ['a part of an image', 206, await get(file, { range: 'bytes=0-9' }), shown],
      ['no part of an image', 416, await get(file, { range: 'bytes=9999999-' }), shown],
      ['a variant of an image', 200, await get(assetRoutes.variant(file, 'card.jpg')), shown],
      ['no image', 404, await get(assetRoutes.file('images/nada'))],
      ['data of an image', 200, await get(apiRoutes.storedFile(fullPath))],
      ['a script', 200, await get(script)],
      ['a drawing again', 304, await again(assetRoutes.defaultAvatar)],
      ['a pattern', 200, await get(assetRoutes.azulejo('a'))],
      ['the description to read', 200, await get('/api/docs')],
      ['a preflight', 404, await forum.call('OPTIONS', apiRoutes.channels)],
    ];
    for (const [what, status, { status: found, headers, body }, but] of answers) {
      assert.equal(found, status, what);
      for (const [name, value] of Object.entries({ ...always, ...but })) {
        assert.equal(headers.get(name), value, `${name} of ${what}`);
      }
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, what);
      if (status >= 400) assert.equal(headers.get('cache-control'), 'no-store', what);
      await body?.cancel();
    }
  });

  test('include HSTS only when PUBLIC_URL is https', async () => {
    await using plain = await Forum.start('sqlite');
    const { headers } = await plain.call('GET', '/');
    assert.equal(headers.get('strict-transport-security'), null);
  });

  test('are sent with problems for invalid HTTP and too many headers', async () => {
    for (const [sent, status] of [
      ['HOLA\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nhost: foro.example\r\ncontent-length: 1, 2\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: foro.example\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ]) {
      const socket = connect(Number(new URL(forum.url).port), '127.0.0.1');
      socket.write(String(sent));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      await once(socket, 'close');
      const [head = '', body = ''] = received.split('\r\n\r\n');
      assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head);
      for (const [name, value] of Object.entries(always)) {
        assert.ok(head.includes(`\r\n${name}: ${value}`), name);
      }
      const problem = JSON.parse(body) as Problem;
      assert.deepEqual([problem.code, problem.status], ['invalid_request', status]);
    }
  });
});
