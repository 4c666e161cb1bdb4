import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createPostgresDatabase } from '../../../../test/forum/forum.ts';
import { openDatabase } from '../../database/database.ts';
import { PostgresUploadLocks } from './postgres-upload-locks.ts';

test('an upload id chosen by a client never takes a lock of the site or of another account', async () => {
  const database = await createPostgresDatabase();
  const db = openDatabase({ databaseUrl: database.url, dataDir: '' });
  const locks = new PostgresUploadLocks(database.url, db);
  try {
    for (const id of ['ana', 'ana_1', 'ana_2', 'berta_1']) {
      await locks.acquire(id, () => {}, new AbortController().signal);
    }
    // PostgreSQL gives locks with one key, such as those of the site, objsubid 1, and those with two keys 2.
    const { rows } = await sql<{ classid: number; objsubid: number }>`
      select classid::bigint, objsubid from pg_locks
      where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())
    `.execute(db);
    assert.deepEqual(
      rows.map(({ objsubid }) => objsubid),
      [2, 2, 2, 2],
    );
    assert.equal(new Set(rows.map(({ classid }) => classid)).size, 2);
  } finally {
    await locks.close();
    await db.destroy();
    await database.drop();
  }
});
