import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Rounds fractions, which SQLite stores in columns of integers: the demo wrote times with fractions, and
 * no backup can take them. PostgreSQL refuses them. Frozen.
 */
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
    const refs = columns.split(',').map((name) => sql.ref(name));
    const isFraction = refs.map((column) => sql`typeof(${column}) = 'real'`);
    await sql`
      update ${sql.table(table)}
      set ${sql.join(refs.map((column) => sql`${column} = cast(round(${column}) as integer)`))}
      where ${sql.join(isFraction, sql` or `)}
    `.execute(db);
  }
}
