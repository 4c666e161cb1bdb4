import { type SelectQueryBuilder, sql, type TableMetadata } from 'kysely';
import { tableKeys } from './table-keys.ts';
import type { Database, Tables } from './tables.ts';

export type Row = Record<string, string | number | null>;

const fetched = 500;

/** The tables that the database has of those that are known, in their order. */
export async function findTables(db: Database): Promise<TableMetadata[]> {
  const found = await db.introspection.getTables();
  return Object.keys(tableKeys).flatMap((name) => found.find((table) => table.name === name) ?? []);
}

/**
 * The rows of a table as both engines give them alike: by primary key in the order of its bytes, and
 * columns by name. Few are in memory at a time. To be called within a transaction.
 */
export async function* readRows(db: Database, table: TableMetadata): AsyncGenerator<Row> {
  const columns = table.columns.map(({ name }) => name).sort();
  for await (const row of rawRows(db, table)) {
    yield Object.fromEntries(columns.map((name) => [name, toPlain(table.name, name, row[name])]));
  }
}

async function* rawRows(db: Database, table: TableMetadata): AsyncGenerator<Row> {
  // Tables by name: the types of one known table stand for any.
  let query = db.selectFrom(table.name as 'accounts').selectAll() as unknown as SelectQueryBuilder<
    Tables,
    'accounts',
    Row
  >;
  const isPostgres = table.schema !== undefined;
  for (const [name, type] of Object.entries(tableKeys[table.name] ?? {})) {
    // Else in the alphabet of whichever language the database was made for.
    const byBytes = isPostgres && type === 'text';
    query = query.orderBy(byBytes ? sql`${sql.ref(name)} collate "C"` : sql.ref(name));
  }
  if (!isPostgres) {
    yield* query.stream();
    return;
  }
  const cursor = sql.id(`${table.name}_rows`);
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(fetched)} from ${cursor}`.execute(db);
    yield* rows;
    if (rows.length < fetched) break;
  }
  await sql`close ${cursor}`.execute(db);
}

/** @throws for what JSON would not bring back as it was */
function toPlain(table: string, column: string, value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || Number.isSafeInteger(value)) {
    return value as string | number | null;
  }
  throw new Error(`${table}.${column} holds a ${typeof value} that cannot be kept exactly`);
}
