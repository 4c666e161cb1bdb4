import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import pg from 'pg';
import { eventually } from '../../../test/eventually.ts';
import { createMigratedDatabase, expectProblem, Forum } from '../../../test/forum/forum.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pageRoutes } from '../../shared/routes.ts';

test('on a PostgreSQL that is set to read only, /readyz?all and writes respond 503, and both recover by themselves', async () => {
  const database = await createMigratedDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const log = new PassThrough();
  let logged = '';
  log.on('data', (chunk) => {
    logged += chunk;
  });
  await using forum = await Forum.start(
    'postgres',
    { DATABASE_URL: database.url, LOG_LEVEL: 'warn' },
    {},
    log,
  );
  const author = await forum.person();
  const channel = await forum.channel(author);
  const write = () =>
    forum.call('PUT', apiRoutes.comment, {
      token: author.token,
      body: { id: channel._id, comment: 'hola' },
    });
  const isReady = async () => (await forum.call('GET', '/readyz?all')).ok;
  assert.ok(await isReady());

  const operator = new pg.Client(`${process.env.TEST_POSTGRES_URL}/postgres`);
  await operator.connect();
  try {
    await operator.query(`alter database ${name} set default_transaction_read_only = on`);
    // Existing connections can still write.
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    );
    await eventually('the log says why it is not ready', async () => {
      const advice = /PostgreSQL takes no writes: it is a standby, or .*Promote it/;
      return !(await isReady()) && advice.test(logged);
    });
    for (const response of [
      await forum.call('GET', '/readyz?all'),
      await write(),
      await forum.signIn(author.email, author.password),
    ]) {
      assert.equal(response.headers.get('retry-after'), '5');
      await expectProblem(response, 503, 'unavailable');
    }
    for (const url of [pageRoutes.home, apiRoutes.channel(channel._id), '/healthz', '/readyz']) {
      assert.equal((await forum.call('GET', url)).status, 200, url);
    }

    await operator.query(`alter database ${name} reset default_transaction_read_only`);
    // Read-only connections are closed after their first failure.
    await eventually('it is ready', isReady);
    await eventually('it takes comments', async () => (await write()).ok);
  } finally {
    await operator.end();
  }
});
