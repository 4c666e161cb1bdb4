import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { changeSettings } from '../../../../test/forum/change-settings.ts';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { RememberedBrowser } from '../../../../test/forum/remembered-browser.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { pageRoutes } from '../../../shared/routes.ts';

/** Requests that are refused, and the status once they have their turn. */
const refused: [status: number, method: string, url: string, headers: object, body?: string][] = [
  [401, 'GET', apiRoutes.me, { authorization: 'Bearer unknown' }],
  [401, 'PUT', apiRoutes.comment, { authorization: 'Bearer unknown' }, '{}'],
  [401, 'GET', apiRoutes.channels, { cookie: `tertulia-reader=${'a'.repeat(43)}` }],
  [401, 'GET', apiRoutes.channelLive('x'), { cookie: `tertulia-reader=${'a'.repeat(43)}` }],
  [200, 'GET', pageRoutes.home, { cookie: `tertulia-reader=${'a'.repeat(43)}` }],
  [200, 'GET', '/x%00', {}],
  [400, 'POST', apiRoutes.signUp, {}, '{'],
];

test('an address whose requests wait gets no query, page or parsing, and another address gets its answers', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const { services } = forum;
  const browser = new RememberedBrowser(forum);
  await browser.signIn(await forum.person());
  await changeSettings(forum, { readers: 'members', contact: 'ana@foro.example' });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { withTransaction } = services;
  let held = 0;
  services.withTransaction = async (lockKey, work) => {
    held += 1;
    await released;
    return withTransaction(lockKey, work);
  };

  const full = { 'x-forwarded-for': '192.0.2.1' };
  const send = (method: string, url: string, headers: object, body?: string) =>
    forum.call(method, url, { headers: { ...headers }, body });
  const made = Array.from({ length: 8 }, () => browser.resume(full));
  await eventually('eight responses are being made', async () => held === 8);
  // One more than may wait, so that as many as may are waiting once that one is refused.
  const headers = { ...full, authorization: 'Bearer unknown' };
  const waiting = Array.from({ length: 65 }, () => send('GET', apiRoutes.me, headers));
  await expectProblem(await Promise.race(waiting), 429, 'too_many_requests');

  for (const [status, method, url, headers, body] of refused) {
    const isStream = url === apiRoutes.channelLive('x');
    const answer = await send(method, url, { ...headers, ...full }, body);
    // Streams have places of their own.
    assert.equal(answer.status, isStream ? status : 429, url);
    const other = { ...headers, 'x-forwarded-for': '192.0.2.2' };
    assert.equal((await send(method, url, other, body)).status, status, url);
  }

  release();
  assert.ok((await Promise.all(made)).every((answer) => answer.status === 200));
  const statuses = (await Promise.all(waiting)).map((answer) => answer.status);
  assert.deepEqual(statuses.toSorted().slice(-2), [401, 429]);
});
