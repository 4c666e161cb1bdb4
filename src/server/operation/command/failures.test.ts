import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { quarters } from '../../../../test/attacks/hostile-images.ts';
import { changeValues } from '../../../../test/change-values.ts';
import { createPostgresDatabase, Forum, realTimeoutsMs } from '../../../../test/forum/forum.ts';
import { PgBouncer, whyNoPgBouncer } from '../../../../test/postgres/pgbouncer.ts';
import { freePorts } from '../../../../test/processes/free-ports.ts';
import { runCommand } from '../../../../test/processes/run-command.ts';
import { openDatabase } from '../../database/engine.ts';
import { timeoutsMs } from '../../database/postgres/postgres-pool.ts';
import { requireVersion } from '../../database/postgres/server-version.ts';
import { parseConfig } from '../../system/settings/config.ts';
import { openSite } from '../start/open-site.ts';
import { describeFailure, exitCodeOf } from './failures.ts';

const secret = 'muy-secreta';

test('a backup beside a bucket that does not respond ends with a message', async () => {
  await using forum = await Forum.start('sqlite');
  const image = await quarters(40, 30).png().toBuffer();
  assert.ok((await forum.upload(await forum.person(), image)).ok);
  const [port = 0] = await freePorts(1);
  const bucket = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'fotos',
    S3_ACCESS_KEY_ID: 'clave',
    S3_SECRET_ACCESS_KEY: secret,
  };
  const { code, said } = await runCommand({ ...forum.dataSettings, ...bucket }, 'backup');
  assert.equal(code, 1, said);
  assert.match(said, /^The bucket does not work: .*ECONNREFUSED.* S3_\* settings\.$/m);
  assert.doesNotMatch(said, new RegExp(`${secret}|^ +at `, 'm'));
});

test('an address that this machine does not have is a wrong setting', async () => {
  const listening = once(createServer().listen(0, '192.0.2.1'), 'listening');
  const error = await listening.catch((reason: unknown) => reason);
  assert.equal(exitCodeOf(error), 2);
  assert.match(
    String(describeFailure(error)),
    /^The server cannot listen: .* Set HOST to an address/,
  );
});

describe('a start with a PostgreSQL that cannot be used', () => {
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  changeValues(timeoutsMs, realTimeoutsMs);
  before(async () => {
    database = await createPostgresDatabase();
  });
  after(async () => {
    await database?.drop();
  });

  /** The error message of a start with a changed URL of the database or of a pool in front of it. */
  async function messageOf(
    change: (url: URL) => void,
    databaseUrl = database.url,
  ): Promise<string> {
    const url = new URL(databaseUrl);
    change(url);
    const DATA_DIR = path.join(tmpdir(), 'tertulia-never-made');
    const config = parseConfig({ DATA_DIR, DATABASE_URL: url.href });
    const error = await openSite(config).then(
      () => assert.fail('it started'),
      (reason: unknown) => reason,
    );
    assert.equal(exitCodeOf(error), 1);
    const message = describeFailure(error);
    assert.ok(typeof message === 'string', 'a sentence and no stack');
    assert.match(message, /^[^\n]+\.$/);
    assert.doesNotMatch(message, new RegExp(secret));
    return message;
  }

  const change = (parts: Partial<URL>) => (url: URL) => void Object.assign(url, parts);
  const wrongPassword = change({ password: secret });
  const noDatabase = change({ pathname: '/ninguna' });

  test('names host and port when nothing listens there, or what listens does not respond', async () => {
    const [port = 0] = await freePorts(1);
    assert.equal(
      await messageOf(() => {}, `postgres://u:${secret}@127.0.0.1:${port}/d`),
      `PostgreSQL does not respond at 127.0.0.1:${port} (ECONNREFUSED). Start it, or correct the host and the port in DATABASE_URL.`,
    );
    await using silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    silent.on('connection', (socket) => socket.resume());
    const { port: taken } = silent.address() as AddressInfo;
    const message = await messageOf(change({ port: String(taken) }));
    assert.match(message, RegExp(`does not respond at 127.0.0.1:${taken} \\(no response\\)`));
  });

  for (const [problem, changed, expected] of [
    [
      'an unknown host',
      change({ hostname: 'nadie.invalid' }),
      /^The host nadie\.invalid in .* has no address/,
    ],
    ['a wrong password', wrongPassword, /refuses the user or the password in DATABASE_URL/],
    ['no password', change({ password: '' }), /refuses the user or the password in DATABASE_URL/],
    ['a missing database', noDatabase, /does not have the database in .* Create it/],
    ['a server without TLS', change({ search: '?sslmode=verify-full' }), /offers no TLS/],
    [
      'an unreadable certificate',
      change({ search: '?sslrootcert=/nowhere/ca.pem' }),
      /no such file or directory, open '\/nowhere\/ca.pem'/,
    ],
  ] as const) {
    test(`names ${problem}`, async () => {
      assert.match(await messageOf(changed), expected);
    });
  }

  test('names the same behind a PgBouncer, and the setting that a PgBouncer needs', {
    skip: whyNoPgBouncer,
  }, async () => {
    await using pool = await PgBouncer.start(database.url, 'session');
    assert.match(await messageOf(wrongPassword, pool.url), /refuses the user or the password/);
    assert.match(await messageOf(noDatabase, pool.url), /does not have the database/);
    const unchanged = () => {};
    await using statement = await PgBouncer.start(database.url, 'statement');
    assert.match(await messageOf(unchanged, statement.url), /is in statement mode.*= session/);
    await using small = await PgBouncer.start(database.url, 'session', 1);
    const client = new pg.Client(small.url);
    await client.connect();
    await client.query('select 1');
    const message = await messageOf(unchanged, small.url).finally(() => client.end());
    assert.match(message, /no response.*it may have no connection left: it needs 12 for each/);
  });

  test('names the right that the user lacks, and a PostgreSQL that is too old', async () => {
    const db = openDatabase({ databaseUrl: database.url, dataDir: '' });
    const role = `r_${process.pid}`;
    try {
      await sql`create role ${sql.ref(role)} login password 'x'`.execute(db);
      const message = await messageOf(change({ username: role, password: 'x' }));
      assert.match(message, /lacks a right: permission denied for schema public. Make it the own/);
      await assert.rejects(requireVersion(db, 99), /^Error: PostgreSQL \d.* too old.* 99 /);
    } finally {
      await sql`drop role if exists ${sql.ref(role)}`.execute(db);
      await db.destroy();
    }
  });
});
