import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqlite } from './open-sqlite.ts';

test('limits are written into a query, since SQLite prepares it again for each parameter that limits it', async () => {
  const db = openSqlite(':memory:');
  const { sql, parameters } = db.selectFrom('accounts').select('id').limit(5).offset(2).compile();
  assert.equal(sql, 'select "id" from "accounts" limit 5 offset ?');
  assert.deepEqual(parameters, [2]);
  await db.destroy();
});
