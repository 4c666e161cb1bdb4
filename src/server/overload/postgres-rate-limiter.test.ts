import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { createSharedLimiter, deleteExpiredLimits } from './postgres-rate-limiter.ts';

describe('rate limits shared by processes', () => {
  let first: Forum;
  let second: Forum;
  before(async () => {
    first = await Forum.start('postgres', { RATE_LIMITS: 'on' });
    second = await first.another();
  });
  after(async () => {
    await second?.stop();
    await first?.stop();
  });

  test('a budget used up at one process is used up at the other', async () => {
    const author = await first.person();
    const other = await first.person();
    const body = { name: 'Canal', description: 'Uno de muchos', cover: '/default-avatar.svg' };
    const create = (forum: Forum, { token }: { token: string }) =>
      forum.call('POST', apiRoutes.channels, { token, body });
    const budget = 30;
    for (let i = 0; i < budget; i++) {
      assert.equal((await create(i % 2 ? first : second, author)).status, 201);
    }
    for (const forum of [first, second]) {
      const refused = await create(forum, author);
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      await expectProblem(refused, 429, 'too_many_requests');
    }
    assert.equal((await create(second, other)).status, 201);
  });

  test('counts in memory while the database does not respond in time', async () => {
    const { db } = first.deps;
    const limiter = createSharedLimiter(db, { keyPrefix: 'slow', points: 1, duration: 60 });
    await db.transaction().execute(async (trx) => {
      await sql`lock table rate_limits`.execute(trx);
      await limiter.consume('somebody');
      await assert.rejects(limiter.consume('somebody'), { consumedPoints: 2 });
    });
  });

  test('deletes expired counts', async () => {
    const { db } = first.deps;
    const limiter = createSharedLimiter(db, { keyPrefix: 'old', points: 1, duration: 60 });
    await limiter.consume('somebody');
    const count = async () =>
      (await db.selectFrom('rate_limits').select('key').where('key', 'like', 'old%').execute())
        .length;
    await deleteExpiredLimits(db, Date.now());
    assert.equal(await count(), 1);
    await deleteExpiredLimits(db, Date.now() + 61_000);
    assert.equal(await count(), 0);
  });

  test('deletes a count made while the clock was a year ahead', async () => {
    const { db } = first.deps;
    const expire = Date.now() + 365 * 86_400_000;
    await db.insertInto('rate_limits').values({ key: 'ahead', points: 60, expire }).execute();
    await deleteExpiredLimits(db, Date.now());
    const left = await db.selectFrom('rate_limits').select('key').where('key', '=', 'ahead');
    assert.deepEqual(await left.execute(), []);
  });
});
