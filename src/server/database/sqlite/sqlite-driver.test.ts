import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from './open-sqlite.ts';

test('limits are written into a query, since SQLite prepares it again for each parameter that limits it', async () => {
  const db = openSqlite(':memory:');
  const compiled = db.selectFrom('accounts').select('id').limit(5).offset(2).compile();
  assert.equal(compiled.sql, 'select "id" from "accounts" limit 5 offset ?');
  assert.deepEqual(compiled.parameters, [2]);
  await db.destroy();
});

test('the event loop takes turns while many long queries run', async () => {
  const db = openSqlite(':memory:');
  const numbers =
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)';
  const count = sql`${sql.raw(numbers)} select count(*) from n`;
  let turns = 0;
  const turn = () => {
    turns++;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await Promise.all(Array.from({ length: 100 }, () => count.execute(db)));
  clearImmediate(next);
  // One query takes some ten milliseconds. In each turn the event loop accepts one connection.
  assert.ok(turns > 50, `${turns} turns`);
  await db.destroy();
});
