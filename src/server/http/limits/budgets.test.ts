import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { BoundedLimiter, maxKeys } from './bounded-limiter.ts';
import { consume, createLimiter, deleteExpiredLimits, waitText } from './budgets.ts';

/** Sign-in attempts that one address may make per minute. */
const signIns = 120;

/** Signs in without credentials until the limit refuses it. @returns the number of attempts before that */
async function useUp(forum: Forum, headers: (attempt: number) => Record<string, string>) {
  for (let attempt = 0; attempt <= 2 * signIns; attempt++) {
    const answer = await forum.call('POST', apiRoutes.signIn, { headers: headers(attempt) });
    if (answer.status === 429) {
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      const { detail } = await expectProblem(answer, 429, 'too_many_requests');
      assert.match(detail, /^Vas demasiado deprisa\. Vuelve a intentarlo dentro de /);
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

test('behind a proxy each address, each IPv6 network and each account has its own budget, and earlier addresses are ignored', async () => {
  await using forum = await Forum.start('sqlite', { RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  const network = (attempt: number) => from(`198.51.100.${attempt}, 2001:db8:1:2::${attempt}`);
  assert.equal(await useUp(forum, network), signIns);
  const headers = from('2001:db8:1:3::1');
  assert.equal((await forum.call('POST', apiRoutes.signIn, { headers })).status, 401);

  const [author, other] = [await forum.person(), await forum.person()];
  const body = { name: 'Canal', description: 'Uno de muchos', cover: '/default-avatar.svg' };
  const create = ({ token }: { token: string }, address: string) =>
    forum.call('POST', apiRoutes.channels, { token, headers: from(address), body });
  for (let i = 0; i < 30; i++) {
    assert.equal((await create(author, `203.0.113.${i}`)).status, 201);
  }
  await expectProblem(await create(author, '203.0.113.99'), 429, 'too_many_requests');
  assert.equal((await create(other, '203.0.113.99')).status, 201);
});

test('says in seconds, minutes or hours when to try again, never too soon', () => {
  for (const [seconds, text] of [
    [1, 'un segundo'],
    [90, '90 segundos'],
    [91, '2 minutos'],
    [5400, '90 minutos'],
    [5401, '2 horas'],
  ] as const) {
    assert.equal(waitText(seconds), `dentro de ${text}`);
  }
});

test('beyond ten thousand keys of a limit, the least recently used one is discarded', async () => {
  const limiter = new BoundedLimiter({ points: 1, duration: 86_400 });
  const isUsedUp = async (key: string) => (await consume(limiter, key)) > 0;
  for (let i = 0; i < maxKeys; i++) assert.equal(await isUsedUp(`${i}`), false);
  assert.equal(await isUsedUp('0'), true);
  assert.equal(await isUsedUp('one more'), false);
  assert.equal(await isUsedUp('1'), false);
  assert.equal(await isUsedUp('0'), true);
});

describe('budgets shared by processes', () => {
  let first: Forum;
  let second: Forum;
  const slow = { points: 1, duration: 60, isShared: true } as const;
  const limiterOf = ({ services: { db, config } }: Forum, name: string) =>
    createLimiter({ db, config }, name, slow);
  before(async () => {
    first = await Forum.start('postgres', { RATE_LIMITS: 'on' });
    second = await first.another();
  });
  after(async () => {
    await second?.stop();
    await first?.stop();
  });

  test('a budget used up at one process is used up at the other', async () => {
    const signIn = (forum: Forum) => forum.call('POST', apiRoutes.signIn);
    for (let i = 0; i < signIns; i++) {
      assert.equal((await signIn(i % 2 ? first : second)).status, 401);
    }
    for (const forum of [first, second]) {
      await expectProblem(await signIn(forum), 429, 'too_many_requests');
    }
  });

  test('counts in memory while the database does not respond in time', async () => {
    const limiter = limiterOf(first, 'slow');
    await first.services.db.transaction().execute(async (trx) => {
      await sql`lock table rate_limits`.execute(trx);
      assert.equal(await consume(limiter, 'somebody'), 0);
      assert.equal(await consume(limiter, 'somebody'), 60);
    });
  });

  test('deletes expired counts', async () => {
    const { db } = first.services;
    await consume(limiterOf(first, 'old'), 'somebody');
    const count = async () =>
      (await db.selectFrom('rate_limits').select('key').where('key', 'like', 'old%').execute())
        .length;
    await deleteExpiredLimits(db, Date.now());
    assert.equal(await count(), 1);
    await deleteExpiredLimits(db, Date.now() + 61_000);
    assert.equal(await count(), 0);
  });
});
