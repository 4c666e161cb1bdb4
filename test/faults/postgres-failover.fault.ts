import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { timeoutsMs } from '../../src/server/database/postgres/postgres-pool.ts';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { eventually } from '../eventually.ts';
import { createPostgresDatabase, expectProblem, Forum, realTimeoutsMs } from '../forum/forum.ts';
import { LiveFollower } from '../forum/live-follower.ts';
import { MovingAddress } from '../postgres/moving-address.ts';
import { OwnPostgres } from '../postgres/own-postgres.ts';
import { PgBouncer, whyNoPgBouncer } from '../postgres/pgbouncer.ts';

Object.assign(timeoutsMs, realTimeoutsMs);

test('when the primary fails, processes are not ready on its standby, and recover when it is promoted', async (t) => {
  await using started = new AsyncDisposableStack();
  const primary = await OwnPostgres.start();
  started.defer(() => primary.remove());
  const standby = await primary.startStandby();
  started.defer(() => standby.remove());
  await using address = await MovingAddress.start(primary.url);
  await using forum = await Forum.start('postgres', {
    DATABASE_URL: address.url,
    LOG_LEVEL: 'silent',
  });
  await using second = await forum.another();
  const author = await forum.person();
  const channel = await forum.channel(author);
  const reader = await LiveFollower.start(second, channel._id);
  started.defer(() => reader.stop());
  const acknowledged = await Promise.all(
    Array.from({ length: 20 }, (_, i) => forum.comment(author, channel._id, String(i))),
  );

  const operator = new pg.Client(standby.url);
  await operator.connect();
  started.defer(() => operator.end());
  await eventually('the standby has all comments', async () => {
    const { rows } = await operator.query('select count(*)::int as count from comments');
    return rows[0]?.count === acknowledged.length;
  });
  await primary.stop();
  address.moveTo(standby.url);

  await eventually('the standby is asked', async () => {
    const { status } = await forum.call('GET', apiRoutes.channel(channel._id));
    return status === 200;
  });
  for (const process of [forum, second]) {
    await expectProblem(await process.call('GET', '/readyz?all'), 503, 'unavailable');
    const written = await process.call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channel._id, comment: 'no llega' },
    });
    await expectProblem(written, 503, 'unavailable');
    for (const url of [pageRoutes.home, '/readyz']) {
      assert.equal((await process.call('GET', url)).status, 200, url);
    }
  }
  // A process that starts now also waits for the promotion.
  await using third = await forum.another();
  await expectProblem(await third.call('GET', '/readyz?all'), 503, 'unavailable');

  const promotedMs = Date.now();
  await operator.query('select pg_promote()');
  for (const process of [forum, second, third]) {
    await eventually(
      'it is ready',
      async () => (await process.call('GET', '/readyz?all')).ok,
      10_000,
    );
  }
  t.diagnostic(`all processes ready ${Date.now() - promotedMs} ms after the promotion`);
  const last = await third.comment(author, channel._id, 'de vuelta');
  await eventually('it is delivered live', async () => reader.seen.includes(last.id));
  assert.deepEqual(
    acknowledged.filter(({ id }) => !reader.seen.includes(id)),
    [],
  );
});

describe('a change of PgBouncer’s pool mode', { skip: whyNoPgBouncer }, () => {
  test('is noticed by a running process within seconds, in both directions', async (t) => {
    const database = await createPostgresDatabase();
    await using pool = await PgBouncer.start(database.url, 'session');
    await using forum = await Forum.start('postgres', {
      DATABASE_URL: pool.url,
      LOG_LEVEL: 'silent',
    });
    const isReady = async () => (await forum.call('GET', '/readyz?all')).ok;
    assert.ok(await isReady());
    for (const mode of ['transaction', 'session'] as const) {
      const startMs = Date.now();
      await pool.switchTo(mode);
      await eventually(
        `${mode} mode is noticed`,
        async () => (await isReady()) === (mode === 'session'),
        20_000,
      );
      assert.equal(forum.services.live.isListening, mode === 'session');
      t.diagnostic(`${mode} mode noticed after ${Date.now() - startMs} ms`);
    }
  });
});
