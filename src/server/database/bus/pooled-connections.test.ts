import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '../../../../test/eventually.ts';
import { createMigratedDatabase, expectProblem, Forum } from '../../../../test/forum/forum.ts';
import { LiveReader } from '../../../../test/forum/live-reader.ts';
import { PgBouncer, whyNoPgBouncer } from '../../../../test/postgres/pgbouncer.ts';
import { DatabaseUnavailable } from '../errors.ts';
import { withMigrationLock } from '../postgres/advisory-lock.ts';

describe('behind a real PgBouncer', { skip: whyNoPgBouncer }, () => {
  test('in session mode with its default settings, comments reach the readers of every process', async () => {
    const database = await createMigratedDatabase();
    await using pool = await PgBouncer.start(database.url, 'session');
    await using first = await Forum.start('postgres', { DATABASE_URL: pool.url });
    await using second = await first.another();
    for (const forum of [first, second]) {
      assert.equal((await forum.call('GET', '/readyz?all')).status, 200);
    }
    const author = await first.person();
    const channel = await first.channel(author);
    const reader = await LiveReader.open(second, channel._id);
    const comment = await first.comment(author, channel._id, 'hola');
    assert.deepEqual(await reader.nextComment(), comment);
    reader.close();
  });

  test('in transaction mode a process says why it is not listening, and locks are released', async () => {
    const database = await createMigratedDatabase();
    await using pool = await PgBouncer.start(database.url, 'transaction');
    await using first = await Forum.start('postgres', {
      DATABASE_URL: pool.url,
      LOG_LEVEL: 'silent',
    });
    await using second = await first.another();
    const advice = /session mode \(PgBouncer: pool_mode = session\)/;
    await eventually('the process knows why', async () => {
      const error: unknown = await second.services.live.ready().catch((reason) => reason);
      assert.ok(error instanceof DatabaseUnavailable);
      return advice.test(error.advice ?? '');
    });
    for (const forum of [first, second]) {
      await expectProblem(await forum.call('GET', '/readyz?all'), 503, 'unavailable');
      assert.equal((await forum.call('GET', '/readyz')).status, 200);
      assert.equal(forum.services.live.isListening, false);
    }
    // Each call may use another connection to PostgreSQL.
    for (const forum of [first, second, first, second]) {
      await withMigrationLock(forum.services.db, () => forum.call('GET', '/healthz'));
    }
  });
});
