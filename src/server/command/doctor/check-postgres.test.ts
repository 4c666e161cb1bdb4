import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createMigratedDatabase } from '../../../../test/forum/forum.ts';
import { PgBouncer, whyNoPgBouncer } from '../../../../test/postgres/pgbouncer.ts';
import { parseConfig } from '../../config/config.ts';
import { openDatabase } from '../../database/engine.ts';
import { checkEngine } from './check-stores.ts';

describe('the doctor on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  before(async () => {
    database = await createMigratedDatabase();
  });
  after(() => database?.drop());

  /** @returns the messages of each level by subject */
  async function findings(databaseUrl: string) {
    const config = parseConfig({ DATABASE_URL: databaseUrl });
    const all = await checkEngine(config);
    return Object.fromEntries(
      all.map(({ level, subject, message }) => [subject, `${level}: ${message}`]),
    );
  }

  test('finds no fault without a pool', async () => {
    assert.deepEqual(await findings(database.url), {
      writes: 'ok: PostgreSQL takes them',
      'live messages': 'ok: notifications arrive: no pool, or one in session mode',
      connections: 'ok: 11 for each server, of 297 that PostgreSQL allows',
      clock: 'ok: agrees with that of PostgreSQL',
    });
  });

  test('reports a pool in transaction mode, and what to do', {
    skip: whyNoPgBouncer,
  }, async () => {
    await using pool = await PgBouncer.start(database.url, 'transaction');
    const { 'live messages': finding } = await findings(pool.url);
    assert.match(
      finding ?? '',
      /^fix: Notifications .* session mode \(PgBouncer: pool_mode = session/,
    );
  });

  test('reports that the database is read-only', async () => {
    const db = openDatabase({ databaseUrl: database.url, dataDir: '' });
    try {
      const name = sql.ref(new URL(database.url).pathname.slice(1));
      await sql`alter database ${name} set default_transaction_read_only = on`.execute(db);
    } finally {
      await db.destroy();
    }
    const { writes } = await findings(database.url);
    assert.match(writes ?? '', /^fix: PostgreSQL takes no writes: .* Promote it/);
  });
});
