import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** SQLite stores fractions in columns of integers; now it refuses them, as PostgreSQL does. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  const { rows } = await sql<{ table: string; columns: string }>`
    select m.name as "table", group_concat(c.name) as columns
    from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not glob '*_fts*' and m.name not glob 'sqlite_*'
      and lower(c.type) in ('integer', 'bigint')
    group by m.name
  `.execute(db);
  for (const { table, columns } of rows) {
    const isWhole = columns
      .split(',')
      .map((column) => sql`typeof(${sql.ref(column)}) in ('integer', 'null')`);
    await sql`
      alter table ${sql.table(table)}
      add constraint ${sql.ref(`${table}_whole_numbers`)} check (${sql.join(isWhole, sql` and `)})
    `.execute(db);
  }
}
