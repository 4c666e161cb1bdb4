import { type SelectQueryBuilder, sql, type TableMetadata } from 'kysely';
import { UnfitDatabase } from './errors.ts';
import { isPostgres } from './is-postgres.ts';
import { backupTableKeys } from './table-register.ts';
import type { Database, Tables } from './tables.ts';

export type Row = Record<string, string | number | null>;

/** A row has a value that tertulia does not write and no backup can take, such as a fraction. */
class UnfitRow extends UnfitDatabase {
  constructor(table: string, column: string, row: Row) {
    const key = keyOf(table).map((name) => `${name} = ${show(row[name])}`);
    super(
      `The row of ${table} where ${key.join(' and ')} cannot be backed up: ${column} is ${show(row[column])}, and tertulia writes only whole numbers and texts. Another program has written it: correct it there.`,
    );
  }
}

const keyOf = (table: string) => backupTableKeys[table] ?? [];

const show = (value: unknown) =>
  typeof value === 'string'
    ? `'${value}'`
    : typeof value === 'number'
      ? value
      : `a ${typeof value}`;

/** Rows per fetch from a PostgreSQL cursor. */
const batchRows = 500;

/** The known tables with data that exist in this database, referenced tables first. */
export async function findTables(db: Database): Promise<TableMetadata[]> {
  const found = await db.introspection.getTables();
  return Object.keys(backupTableKeys).flatMap(
    (name) => found.find((table) => table.name === name) ?? [],
  );
}

/**
 * Streams the rows of a table in batches, identically on both engines: ordered bytewise by primary key, with
 * columns sorted by name. Must be called within a transaction.
 * @throws UnfitRow
 */
export async function* readRows(db: Database, table: TableMetadata): AsyncGenerator<Row[]> {
  const columns = table.columns.map(({ name }) => name).sort();
  for await (const rows of streamRows(db, selectRows(db, table, columns))) {
    for (const row of rows)
      for (const name of columns)
        if (!isPlain(row[name])) throw new UnfitRow(table.name, name, row);
    yield rows;
  }
}

function selectRows(db: Database, table: TableMetadata, columns: string[]) {
  // The table name is dynamic, so the types of one table stand in for all of them.
  let query = db
    .selectFrom(table.name as 'accounts')
    .select(columns as 'id'[]) as unknown as SelectQueryBuilder<Tables, 'accounts', Row>;
  for (const key of keyOf(table.name)) {
    const type = table.columns.find(({ name }) => name === key)?.dataType;
    // The database's default collation may be linguistic.
    const byBytes = isPostgres(db) && (type === 'text' || type === 'varchar');
    query = query.orderBy(byBytes ? sql`${sql.ref(key)} collate "C"` : sql.ref(key));
  }
  return query;
}

/**
 * Streams the rows of a query in batches, so that few of them are in memory. Must be called within a transaction,
 * which can run no other query until all rows are read.
 */
export async function* streamRows<DB, Table extends keyof DB, Row>(
  db: Database,
  query: SelectQueryBuilder<DB, Table, Row>,
): AsyncGenerator<Row[]> {
  if (!isPostgres(db)) {
    for await (const row of query.stream()) yield [row];
    return;
  }
  await sql`declare streamed_rows no scroll cursor for ${query}`.execute(db);
  const fetch = () => sql<Row>`fetch ${sql.lit(batchRows)} from streamed_rows`.execute(db);
  for (let next = fetch(), isLast = false; !isLast; ) {
    const { rows } = await next;
    isLast = rows.length < batchRows;
    if (!isLast) {
      // PostgreSQL reads the next rows while the caller works on these.
      next = fetch();
      // A caller that stops early does not wait for them.
      next.catch(() => {});
    }
    yield rows;
  }
  await sql`close streamed_rows`.execute(db);
}

/** Whether a value survives a round trip through JSON. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value);
}
