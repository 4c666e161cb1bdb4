import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { Forum } from '../../../test/forum/forum.ts';
import { runCommand } from '../../../test/processes/run-command.ts';
import { findTables, readRows } from './read-rows.ts';

onBothEngines('readRows', (forum) => {
  test('orders rows bytewise by key, whatever the collation of the database', async () => {
    const { db } = forum().services;
    const keys = ['b', 'A', 'a', 'B', 'ñ', 'n', '_', '-a', 'Z', '😀', '\ufffd'];
    await db
      .insertInto('rate_limits')
      .values(keys.map((key) => ({ key, points: 1, expire: null })))
      .execute();
    const read = await db.transaction().execute(async (trx) => {
      const table = (await findTables(trx)).find(({ name }) => name === 'rate_limits');
      assert.ok(table);
      return (await Array.fromAsync(readRows(trx, table))).flat();
    });
    const byBytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      read.map((row) => ({ ...row })),
      byBytes.map((key) => ({ expire: null, key, points: 1 })),
    );
  });

  test('no fraction is written in a column of integers', async () => {
    const { db } = forum().services;
    const write = (points: number) =>
      db.insertInto('rate_limits').values({ key: 'fraction', points, expire: null }).execute();
    await assert.rejects(
      write(1.5),
      /CHECK constraint failed: rate_limits_whole_numbers|invalid input syntax/,
    );
  });
});

test('each column of integers on SQLite refuses fractions', async () => {
  await using forum = await Forum.start('sqlite');
  const { rows } = await sql<{ table: string; column: string; sql: string }>`
    select m.name as "table", c.name as "column", m.sql as sql
    from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not glob '*_fts*' and m.name not glob 'sqlite_*'
      and lower(c.type) in ('integer', 'bigint')
  `.execute(forum.services.db);
  assert.ok(rows.length > 50);
  const unchecked = rows.filter(({ column, sql }) => !sql.includes(`typeof("${column}")`));
  assert.deepEqual(
    unchecked.map(({ table, column }) => `${table}.${column}`),
    [],
  );
});

test('times are whole milliseconds, whatever the clock says', async () => {
  await using forum = await Forum.start('sqlite', {}, { now: () => 1_700_000_000_000.4 });
  assert.equal(forum.services.now(), 1_700_000_000_000);
});

test('a backup names the row that it cannot take, with exit code 4', async () => {
  await using forum = await Forum.start('sqlite');
  const author = await forum.person();
  const { _id } = await forum.channel(author);
  await forum.comment(author, _id, 'Hola');
  await sql`pragma ignore_check_constraints = on`.execute(forum.services.db);
  await sql`update comments set created_at_ms = 1700000000000.5`.execute(forum.services.db);
  const { code, said } = await runCommand(forum.dataSettings, 'backup');
  assert.equal(code, 4, said);
  assert.match(
    said,
    new RegExp(
      `^The row of comments where channel_id = '${_id}' and number = 1 cannot be backed up: created_at_ms is 1700000000000\\.5,`,
      'm',
    ),
  );
  assert.doesNotMatch(said, /^ +at /m);
});
