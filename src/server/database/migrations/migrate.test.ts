import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createPostgresDatabase, engines, Forum } from '../../../../test/forum/forum.ts';
import { openDatabase } from '../database.ts';
import { migrate, migrationNames } from './migrate.ts';

for (const engine of engines) {
  test(`a migrated database has no pending migrations (${engine})`, async () => {
    const forum = await Forum.start(engine);
    try {
      assert.deepEqual(await migrate(forum.deps.db), []);
    } finally {
      await forum.stop();
    }
  });
}

for (const engine of engines) {
  test(`a failing migration rolls back the ones before it (${engine})`, async () => {
    const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
    const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-migrate-'));
    const db = openDatabase({ databaseUrl: database?.url, dataDir }, { noStatementTimeout: true });
    try {
      await sql`create table rate_limits (id integer)`.execute(db);
      await assert.rejects(migrate(db), /rate_limits/);
      await assert.rejects(db.selectFrom('accounts').selectAll().execute(), /accounts/);
      await sql`drop table rate_limits`.execute(db);
      assert.deepEqual(await migrate(db), migrationNames);
    } finally {
      await db.destroy();
      await database?.drop();
      await rm(dataDir, { recursive: true });
    }
  });
}

test('four processes that start at once on an empty PostgreSQL database migrate it once', async () => {
  const database = await createPostgresDatabase();
  const config = { databaseUrl: database.url, dataDir: '' };
  const processes = [1, 2, 3, 4].map(() => openDatabase(config, { noStatementTimeout: true }));
  try {
    const ran = await Promise.all(processes.map((db) => migrate(db)));
    const [did, ...others] = ran.toSorted((a, b) => b.length - a.length);
    assert.notDeepEqual(did, []);
    assert.deepEqual(others, [[], [], []]);
  } finally {
    await Promise.all(processes.map((db) => db.destroy()));
    await database.drop();
  }
});
