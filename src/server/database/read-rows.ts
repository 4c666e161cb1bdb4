import { type SelectQueryBuilder, sql, type TableMetadata } from 'kysely';
import { type Database, type DataTable, type Tables, tableKeys } from './tables.ts';

export type Row = Record<string, string | number | null>;

/** Rows per fetch from a PostgreSQL cursor. */
const batchRows = 500;

/** The known tables with data that exist in this database, referenced tables first. */
export async function findTables(db: Database): Promise<TableMetadata[]> {
  const found = await db.introspection.getTables();
  return Object.keys(tableKeys).flatMap((name) => found.find((table) => table.name === name) ?? []);
}

/**
 * Streams the rows of a table, identically on both engines: ordered bytewise by primary key, with
 * columns sorted by name. Must be called within a transaction.
 */
export async function* readRows(db: Database, table: TableMetadata): AsyncGenerator<Row> {
  const columns = table.columns.map(({ name }) => name).sort();
  for await (const row of rawRows(db, table)) {
    yield Object.fromEntries(columns.map((name) => [name, toPlain(table.name, name, row[name])]));
  }
}

async function* rawRows(db: Database, table: TableMetadata): AsyncGenerator<Row> {
  // The table name is dynamic, so the types of one table stand in for all of them.
  let query = db.selectFrom(table.name as 'accounts').selectAll() as unknown as SelectQueryBuilder<
    Tables,
    'accounts',
    Row
  >;
  const isPostgres = table.schema !== undefined;
  for (const key of tableKeys[table.name as DataTable]) {
    const type = table.columns.find(({ name }) => name === key)?.dataType;
    // The database's default collation may be linguistic.
    const byBytes = isPostgres && (type === 'text' || type === 'varchar');
    query = query.orderBy(byBytes ? sql`${sql.ref(key)} collate "C"` : sql.ref(key));
  }
  if (!isPostgres) {
    yield* query.stream();
    return;
  }
  const cursor = sql.id(`${table.name}_rows`);
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(batchRows)} from ${cursor}`.execute(db);
    yield* rows;
    if (rows.length < batchRows) break;
  }
  await sql`close ${cursor}`.execute(db);
}

/** @throws for a value that does not survive a round trip through JSON */
function toPlain(table: string, column: string, value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value)) {
    return value as string | number | null;
  }
  throw new Error(`${table}.${column} holds a ${typeof value} that JSON cannot represent exactly`);
}
