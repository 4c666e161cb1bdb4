import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothEngines } from '../../../test/both-engines.ts';
import { findTables, readRows, tableKeys } from './read-rows.ts';

onBothEngines('the list of tables', (forum) => {
  test('has every table of the database, with its primary key, after those it refers to', async () => {
    const { db, config } = forum().deps;
    const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
    assert.deepEqual(Object.keys(tableKeys).sort(), tables);
    const order = Object.keys(tableKeys);
    for (const [table, key] of Object.entries(tableKeys)) {
      const { rows } = await (config.databaseUrl ? postgresKeys(table) : sqliteKeys(table)).execute(
        db,
      );
      const own = rows.filter(({ target }) => target === null).map(({ column }) => column);
      assert.deepEqual(own, key);
      for (const { target } of rows) {
        assert.ok(target === null || order.indexOf(target) < order.indexOf(table));
      }
    }
  });

  test('rows come in the order of their keys’ bytes, whatever the database’s language', async () => {
    const { db } = forum().deps;
    const keys = ['b', 'A', 'a', 'B', 'ñ', 'n', '_', '-a', 'Z', '😀', '\ufffd'];
    await db
      .insertInto('rate_limits')
      .values(keys.map((key) => ({ key, points: 1, expire: null })))
      .execute();
    const read = await db.transaction().execute(async (trx) => {
      const table = (await findTables(trx)).find(({ name }) => name === 'rate_limits');
      assert.ok(table);
      return Array.fromAsync(readRows(trx, table));
    });
    const byBytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(
      read,
      byBytes.map((key) => ({ expire: null, key, points: 1 })),
    );
  });
});

/** Columns of the primary key with target null, and the tables that it refers to. */
const sqliteKeys = (table: string) => sql<{ column: string; target: string | null }>`
  select name as "column", null as target from (select * from pragma_table_info(${table}) where pk > 0 order by pk)
  union all select '', "table" from pragma_foreign_key_list(${table})`;

const postgresKeys = (table: string) => sql<{ column: string; target: string | null }>`
  select a.attname as "column", null as target
  from pg_index i, unnest(i.indkey) with ordinality k(attnum, place)
  join pg_attribute a on a.attnum = k.attnum
  where i.indrelid = ${table}::regclass and i.indisprimary and a.attrelid = i.indrelid
  union all
  select '', confrelid::regclass::text from pg_constraint
  where conrelid = ${table}::regclass and contype = 'f'`;
