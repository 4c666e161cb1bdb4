import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Forum } from '../../../test/forum/forum.ts';
import { serviceWorkerPath } from '../../shared/service-worker.ts';

test('scripts are compressed with an accepted encoding and immutable in caches', async () => {
  await using forum = await Forum.start('sqlite');
  const home = await (await forum.call('GET', '/')).text();
  const script = /<script type="module" src="([^"]+)"/.exec(home)?.[1] ?? '';
  const load = (accept: string, more = {}) =>
    new Promise<{ body: Buffer; headers: Record<string, unknown> }>((resolve, reject) => {
      const headers = { 'accept-encoding': accept, ...more };
      get(forum.url + script, { headers }, async (answer) =>
        resolve({ body: Buffer.concat(await answer.toArray()), headers: answer.headers }),
      ).on('error', reject);
    });
  const plain = await load('identity');
  const br = await load('gzip, deflate, br');
  const gzip = await load('gzip');
  assert.deepEqual(
    [plain, br, gzip].map(({ headers }) => headers['content-encoding']),
    [undefined, 'br', 'gzip'],
  );
  assert.ok(brotliDecompressSync(br.body).equals(plain.body));
  assert.ok(gunzipSync(gzip.body).equals(plain.body));
  for (const { headers } of [plain, br, gzip]) {
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(String(headers['content-type']), /\/javascript; charset=utf-8$/);
    assert.match(String(headers.vary), /accept-encoding/i);
  }
  for (const range of ['bytes=0-9', 'bytes=999999999-', 'bytes=9-3', 'bytes=abc']) {
    const { body } = await load('identity', { range });
    assert.ok(body.equals(plain.body), range);
  }
  for (const inner of [`${script}.br`, '/.vite/manifest.json']) {
    assert.equal((await forum.call('GET', inner)).status, 404);
  }
});

test('the service worker is checked anew each time, and may request pages of the site only', async () => {
  await using forum = await Forum.start('sqlite');
  const answer = await forum.call('GET', serviceWorkerPath);
  const { status, headers } = answer;
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /\/javascript/);
  // Throws for a module, which browsers would not register.
  new Script(await answer.text());
  assert.equal(headers.get('cache-control'), 'no-cache');
  const policy = "default-src 'none'; connect-src 'self'";
  assert.equal(headers.get('content-security-policy'), policy);
});
