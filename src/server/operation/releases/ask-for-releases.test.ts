import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Release } from '../../../shared/site-settings.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { dayMs } from '../../system/times.ts';
import { askForReleases, startAskingForReleases } from './ask-for-releases.ts';

const feed = `<feed><entry><title>1.1.0</title><link href="/1"/><updated>2026-12-01T10:00:00Z</updated></entry></feed>`;
const asked: IncomingHttpHeaders[] = [];
let answer: { status: number; headers?: Record<string, string>; body: string | Buffer };
const server = createServer(({ headers }, response) => {
  asked.push(headers);
  response.writeHead(answer.status, answer.headers).end(answer.body);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const config = parseConfig({
  RELEASES_URL: `${origin}/secreto`,
  PUBLIC_URL: 'https://foro.example',
});

test('the feed is asked for a minute after the start and once a day, if there is one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const { mock } = t.mock.method(globalThis, 'fetch', () => Promise.reject(new Error('away')));
  const log = { warn: () => {} };
  const releases = { newest: undefined };
  startAskingForReleases({ config: parseConfig({}), releases }, log);
  startAskingForReleases({ config, releases }, log);
  for (const [waitMs, calls] of [
    [59_999, 0],
    [1, 1],
    [dayMs - 60_000, 2],
    [dayMs, 3],
  ] as const) {
    t.mock.timers.tick(waitMs);
    assert.equal(mock.callCount(), calls);
  }
});

test('the newest release is read from the feed, to which nothing of the site is sent, and stays while the feed fails', async () => {
  const lines: unknown[] = [];
  const log = { warn: (line: unknown) => void lines.push(line) };
  const releases: { newest: Release | undefined } = { newest: undefined };
  const ask = () => askForReleases({ config, releases }, log);
  answer = { status: 200, body: feed };
  await ask();
  const newest = { title: '1.1.0', url: `${origin}/1`, at: '2026-12-01T10:00:00.000Z' };
  assert.deepEqual(releases.newest, newest);
  assert.equal(asked[0]?.['user-agent'], 'tertulia');
  assert.doesNotMatch(JSON.stringify(asked), /foro\.example|1\.0\.0|cookie/);

  const bomb = gzipSync(Buffer.alloc(20_000_000));
  for (const [failing, expected] of [
    [{ status: 404, body: 'no' }, /status 404/],
    [{ status: 302, headers: { location: '/otro' }, body: feed }, /status 302/],
    [{ status: 200, body: '<html></html>' }, /no entry/],
    [{ status: 200, body: ' '.repeat(2_000_000) }, /more than 1000000 bytes/],
    [{ status: 200, headers: { 'content-encoding': 'gzip' }, body: bomb }, /more than 1000000/],
  ] as const) {
    answer = failing;
    await ask();
    assert.match(String(lines.pop()), expected);
  }
  server.close();
  server.closeAllConnections();
  await ask();
  assert.match(String(lines.at(-1)), /^RELEASES_URL was not read: [A-Z_]+$/);
  assert.equal(lines.length, 1);
  assert.doesNotMatch(JSON.stringify(lines), /secreto/);
  assert.deepEqual(releases.newest, newest);
  assert.equal(asked.length, 6);
});
