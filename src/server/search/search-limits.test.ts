import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes, searchUrl, withQuery } from '../../shared/routes.ts';
import { openDatabase } from '../database/database.ts';

const q = 'hola';
const searchCall = withQuery(apiRoutes.search, { q });
const typingCall = withQuery(apiRoutes.search, { q, typing: 1 });
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

test('an address searches 60 times a minute by the call and the page together, and more while typing', async (t) => {
  const forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  t.after(() => forum.stop());
  const call = (url: string, headers = {}) =>
    forum.call('GET', url, { headers: { 'x-forwarded-for': '203.0.113.1', ...headers } });
  for (let count = 0; count < 240; count++) {
    assert.equal((await call(typingCall)).status, 200);
  }
  await expectProblem(await call(typingCall), 429, 'too_many_requests');
  for (let count = 0; count < 30; count++) {
    assert.equal((await call(searchCall)).status, 200);
    assert.equal((await call(searchUrl({ q }))).status, 200);
  }
  const refused = await call(searchCall);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  await expectProblem(refused, 429, 'too_many_requests');
  const page = await call(searchUrl({ q }), { accept: 'text/html' });
  assert.equal(page.status, 429);
  assert.match(page.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.match(await page.text(), /^<!doctype html>.*Espera un momento/s);
  assert.equal((await forum.call('GET', searchCall, from('203.0.113.2'))).status, 200);
});

test('four searches of an address and ten in all run at once; the others are told when to try again', async (t) => {
  const gate = Promise.withResolvers<void>();
  let isClosed = false;
  const waitAtGate: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isClosed) await gate.promise;
      return result;
    },
  };
  const forum = await Forum.start('sqlite', { TRUST_PROXY: '1' }, (config) => ({
    db: openDatabase(config).withPlugin(waitAtGate),
  }));
  t.after(() => forum.stop());
  const search = (client: number) => forum.call('GET', searchCall, from(`203.0.113.${client}`));
  isClosed = true;
  const running: Promise<Response>[] = [];
  for (const [client, searches, status, code] of [
    [1, 5, 429, 'too_many_requests'],
    [2, 5, 429, 'too_many_requests'],
    [3, 3, 503, 'busy'],
    [4, 1, 503, 'busy'],
  ] as const) {
    const sent = Array.from({ length: searches }, () => search(client));
    const refused = await Promise.race(sent);
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    await expectProblem(refused, status, code);
    running.push(...sent);
  }
  gate.resolve();
  const statuses = (await Promise.all(running)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 10);
  assert.equal((await search(1)).status, 200);
});
