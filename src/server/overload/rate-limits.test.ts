import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { engines, expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { applyBudgets } from './rate-limits.ts';

/** Sign-ins that one address may attempt in a minute. */
const signIns = 120;

/** Signs in without credentials until it is refused. @returns the number of attempts that were not */
async function useUp(forum: Forum, headers: (attempt: number) => Record<string, string>) {
  for (let attempt = 0; attempt <= 2 * signIns; attempt++) {
    const answer = await forum.call('POST', apiRoutes.signIn, { headers: headers(attempt) });
    if (answer.status === 429) {
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      await expectProblem(answer, 429, 'too_many_requests');
      return attempt;
    }
  }
  throw new Error('no request was refused');
}
const from = (address: string) => ({ 'x-forwarded-for': address });

test('ignores X-Forwarded-For without a trusted proxy', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on' });
  assert.equal(await useUp(forum, (attempt) => from(`203.0.113.${attempt}`)), signIns);
});

for (const engine of engines) {
  test(`a limit that was reached while the clock was ahead ends once the clock is corrected (${engine})`, async (t) => {
    await using forum = await Forum.start(engine, { RATE_LIMITS: 'on' });
    const now = Date.now();
    t.mock.timers.enable({ apis: ['Date'], now: now + 2 * 3_600_000 });
    assert.equal(await useUp(forum, () => ({})), signIns);
    t.mock.timers.setTime(now);
    assert.ok((await useUp(forum, () => ({}))) >= signIns);
  });
}

test('behind a proxy each address and each IPv6 network has its own budget, and earlier addresses are ignored', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const network = (attempt: number) => from(`198.51.100.${attempt}, 2001:db8:1:2::${attempt}`);
  assert.equal(await useUp(forum, network), signIns);
  const elsewhere = await forum.call('POST', apiRoutes.signIn, {
    headers: from('2001:db8:1:3::1'),
  });
  assert.equal(elsewhere.status, 401);
});

test('many accounts of one address share ten times the budget of an account', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const people = await Promise.all(Array.from({ length: 21 }, () => forum.person()));
  const changeImage = ({ token }: { token: string }, address: string) =>
    forum.call('PUT', apiRoutes.updateImage, {
      token,
      headers: from(address),
      body: { img: '/default-avatar.svg' },
    });
  // The address has 600 an hour, and no account more than 60.
  for (const person of people.slice(0, 20)) {
    for (let i = 0; i < 30; i++) {
      assert.equal((await changeImage(person, '203.0.113.1')).status, 200);
    }
  }
  const [last] = people.slice(20);
  assert.ok(last);
  await expectProblem(await changeImage(last, '203.0.113.1'), 429, 'too_many_requests');
  assert.equal((await changeImage(last, '203.0.113.2')).status, 200);
});

test('a route that declares no budget is refused', async (t) => {
  await using forum = await Forum.start('sqlite');
  const app = Fastify();
  t.after(() => app.close());
  applyBudgets(app, forum.deps);
  app.get('/declared', { config: { budget: 'read' } }, () => '');
  assert.throws(() => app.get('/forgotten', () => ''), /GET \/forgotten declares no budget/);
});
