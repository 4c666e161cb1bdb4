import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onBothEngines } from '../../../test/forum/both-engines.ts';
import { isPostgres } from '../../../test/postgres/is-postgres.ts';
import { exportedTables, tableRegister, tablesWith } from './table-register.ts';
import type { Database } from './tables.ts';

interface Column {
  table: string;
  column: string;
  type: string;
  /** Position in the primary key, from 1; 0 when the column is not part of it. */
  keyPosition: number;
}

async function readColumns(db: Database): Promise<Column[]> {
  const { rows } = await (isPostgres(db)
    ? sql<Column>`
        select c.table_name as table, c.column_name as column, c.data_type as type,
          coalesce(k.ordinal_position, 0)::int as "keyPosition"
        from information_schema.columns c
        join information_schema.tables t
          on t.table_schema = c.table_schema and t.table_name = c.table_name
        left join information_schema.table_constraints p
          on p.table_name = c.table_name and p.constraint_type = 'PRIMARY KEY'
        left join information_schema.key_column_usage k
          on k.constraint_name = p.constraint_name and k.column_name = c.column_name
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`
    : sql<Column>`
        select m.name as "table", c.name as "column", lower(c.type) as type, c.pk as "keyPosition"
        from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
  ).execute(db);
  // Ignore the internal tables of Kysely, FTS5 and AUTOINCREMENT.
  return rows.filter(({ table }) => !/^kysely_|_fts(_|$)|^sqlite_/.test(table));
}

interface Reference {
  from: string;
  columns: string[];
  to: string;
  isCascade: boolean;
}

async function readReferences(db: Database): Promise<Reference[]> {
  const { rows } = await (isPostgres(db)
    ? sql<{ from: string; columns: string; to: string; isCascade: boolean }>`
        select conrelid::regclass::text as from, confrelid::regclass::text as to,
          confdeltype = 'c' as "isCascade",
          (select string_agg(attname, ' ' order by place)
            from unnest(conkey) with ordinality as own (column_number, place)
            join pg_attribute on attrelid = conrelid and attnum = column_number) as columns
        from pg_constraint where contype = 'f'`
    : sql<{ from: string; columns: string; to: string; isCascade: number }>`
        select m.name as "from", f."table" as "to", f.on_delete = 'CASCADE' as "isCascade",
          group_concat(f."from", ' ' order by f.seq) as columns
        from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'
        group by m.name, f.id`
  ).execute(db);
  return rows.map((row) => ({
    ...row,
    columns: row.columns.split(' '),
    isCascade: Boolean(row.isCascade),
  }));
}

/** The columns of each index, those of primary keys included, without indexes of a part of the rows. */
async function readIndexes(db: Database): Promise<{ table: string; columns: string }[]> {
  const { rows } = await (isPostgres(db)
    ? sql<{ table: string; columns: string }>`
        select indrelid::regclass::text as table,
          (select string_agg(attname, ' ' order by place)
            from unnest(indkey::smallint[]) with ordinality as own (column_number, place)
            join pg_attribute on attrelid = indrelid and attnum = column_number) as columns
        from pg_index where indpred is null and indrelid::regclass::text not like 'pg_%'`
    : sql<{ table: string; columns: string }>`
        select m.name as "table", group_concat(c.name, ' ' order by c.seqno) as columns
        from sqlite_master m, pragma_index_list(m.name) i, pragma_index_info(i.name) c
        where m.type = 'table' and not i.partial
        group by m.name, i.name`
  ).execute(db);
  return rows.filter(({ columns }) => columns !== null);
}

onBothEngines('the register of tables', (forum) => {
  test('has an entry for every table of the database, with its primary key', async () => {
    const columns = await readColumns(forum().services.db);
    const inDatabase = new Set(columns.map(({ table }) => table));
    assert.deepEqual([...inDatabase].sort(), Object.keys(tableRegister).sort());
    for (const [name, { key }] of Object.entries(tableRegister)) {
      const inKey = columns.filter(({ table, keyPosition }) => table === name && keyPosition > 0);
      assert.deepEqual(
        inKey.toSorted((a, b) => a.keyPosition - b.keyPosition).map(({ column }) => column),
        key,
      );
    }
  });

  test('says for every table which columns are exported, or why none is', async () => {
    const columns = await readColumns(forum().services.db);
    const has = (table: string, name: string) =>
      columns.some((one) => one.table === table && one.column === name);
    const secret =
      /^(actor_id|decided_by|reporter_key|said)$|hash|password|(?<!is_)secret|token|key|endpoint|p256dh|auth|image_id/;
    for (const { export: one } of Object.values(tableRegister))
      assert.ok('kept' in one ? one.kept.length > 10 : one.columns.length > 0);
    for (const { table, columns: exported, of, json } of exportedTables) {
      for (const column of exported) {
        assert.ok(has(table, column), `${table}.${column}`);
        assert.doesNotMatch(column, secret);
      }
      if (json !== undefined) assert.ok(exported.includes(json), table);
      if (typeof of === 'string') assert.ok(has(table, of), table);
      else {
        assert.ok(has(of.table, 'account_id'), of.table);
        for (const [column, other = ''] of Object.entries(of.on))
          assert.ok(has(table, column) && has(of.table, other), `${table}.${column}`);
      }
    }
    const files = exportedTables.map(({ file }) => file);
    assert.deepEqual([...new Set(files)], files);
  });

  test('lists referenced tables before the tables that reference them', async () => {
    const names = Object.keys(tableRegister);
    const references = await readReferences(forum().services.db);
    assert.ok(references.length > 0);
    for (const { from, to } of references) {
      assert.ok(names.indexOf(to) < names.indexOf(from), `${from} refers to ${to}`);
    }
  });

  test('keeps no row of an erased account permanently', async () => {
    const columns = await readColumns(forum().services.db);
    for (const { table, column } of columns) {
      if (column !== 'account_id') continue;
      const { erasure, expiry } = tableRegister[table as keyof typeof tableRegister];
      const isKept = typeof erasure !== 'string' && typeof expiry !== 'string' && 'kept' in expiry;
      assert.equal(isKept, false, table);
    }
    for (const table of tablesWith('erasure', 'rows')) {
      assert.ok(
        columns.some((one) => one.table === table && one.column === 'account_id'),
        table,
      );
    }
  });

  test('knows by foreign keys what is deleted with a comment or channel, and with what else', async () => {
    const references = await readReferences(forum().services.db);
    const cascades = references.filter(({ isCascade }) => isCascade);
    // Comments are erased in batches, before their channel, with the images that the sweep then deletes.
    const belonging = references.filter(
      ({ from, to }) => /^(comment|channel)/.test(to) && from !== 'comments',
    );
    assert.deepEqual(
      belonging.filter(({ isCascade }) => !isCascade),
      [],
    );
    const columns = await readColumns(forum().services.db);
    const has = (table: string, name: string) =>
      columns.some((one) => one.table === table && one.column === name);
    const ofComments = Object.keys(tableRegister).filter(
      (table) => has(table, 'channel_id') && has(table, 'number'),
    );
    const withKey = cascades.filter(
      (one) => one.columns.slice(0, 2).join() === 'channel_id,number',
    );
    assert.deepEqual(
      ofComments.filter((table) => !withKey.some(({ from }) => from === table)),
      // The numbers of the last two need not be of a comment: how far somebody has read, and since when nobody has.
      ['comments', 'reading_positions', 'notifications'],
    );
    for (const table of tablesWith('erasure', 'cascade'))
      assert.ok(
        cascades.some(({ from }) => from === table),
        table,
      );
  });

  test('has an index by which each of these foreign keys finds the rows to delete', async () => {
    const { db } = forum().services;
    const indexes = await readIndexes(db);
    for (const { from, columns, isCascade } of await readReferences(db)) {
      if (!isCascade) continue;
      const wanted = `${columns.join(' ')} `;
      const isFound = indexes.some(
        (one) => one.table === from && `${one.columns} `.startsWith(wanted),
      );
      assert.ok(isFound, `${from} by ${wanted}`);
    }
  });

  test('covers tables whose column types both engines represent alike', async () => {
    for (const { table, column, type } of await readColumns(forum().services.db)) {
      // The rate limiter library defines this table.
      if (table === 'rate_limits') continue;
      // This column is PostgreSQL's search index, which is not in backups; SQLite's is in FTS5 tables.
      if (column === 'tokens') continue;
      assert.match(type, /^(text|integer|bigint)$/, `${table}.${column}`);
    }
  });
});

onBothEngines('the views', (forum) => {
  test('have every column of their table except those that hide a row, belong to its idempotency key or say what was told', async () => {
    const found = await forum().services.db.introspection.getTables();
    const columnsOf = (name: string) =>
      found
        .find((one) => one.name === name)
        ?.columns.map((column) => column.name)
        .sort();
    const hiddenColumns = [
      ...['deleted_at_ms', 'hidden_by', 'key_hash', 'request_hash', 'told_number', 'is_told'],
    ];
    for (const table of ['channels', 'comments']) {
      const expected = columnsOf(table)?.filter((name) => !hiddenColumns.includes(name));
      assert.deepEqual(columnsOf(`visible_${table}`), expected);
    }
    assert.equal(found.filter(({ isView }) => isView).length, 2);
  });
});
