import { type SelectQueryBuilder, sql, type TableMetadata } from 'kysely';
import { engineOf } from './engine.ts';
import { UnfitDatabase } from './errors.ts';
import { backedUpTables } from './table-register.ts';
import type { Database, Tables } from './tables.ts';

export type Row = Record<string, string | number | null>;

/** A row has a value that tertulia never writes and no backup can contain, such as a fraction. */
class UnfitRow extends UnfitDatabase {
  constructor(table: string, column: string, row: Row) {
    const key = keyOf(table).map((name) => `${name} = ${show(row[name])}`);
    super(
      `The row of ${table} where ${key.join(' and ')} cannot be backed up: ${column} is ${show(row[column])}, and tertulia writes only whole numbers and texts. Another program has written it: correct it there.`,
    );
  }
}

const keyOf = (table: string) => backedUpTables[table]?.key ?? [];

const show = (value: unknown) =>
  typeof value === 'string'
    ? `'${value}'`
    : typeof value === 'number'
      ? value
      : `a ${typeof value}`;

/** The tables that backups contain and that exist in this database, referenced tables first. */
export async function findTables(db: Database): Promise<TableMetadata[]> {
  const found = await db.introspection.getTables();
  return Object.keys(backedUpTables).flatMap(
    (name) => found.find((table) => table.name === name) ?? [],
  );
}

/**
 * Streams the rows of a table that backups contain in batches, identically on both engines: ordered bytewise by primary key, with
 * columns sorted by name. Must be called within a transaction.
 * @throws UnfitRow
 */
export async function* readRows(db: Database, table: TableMetadata): AsyncGenerator<Row[]> {
  const columns = table.columns.map(({ name }) => name).sort();
  for await (const rows of engineOf(db).stream(db, selectRows(db, table, columns))) {
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
  const { backupOnly } = backedUpTables[table.name] ?? {};
  if (backupOnly) query = query.where(backupOnly);
  for (const key of keyOf(table.name)) {
    const type = table.columns.find(({ name }) => name === key)?.dataType;
    const isText = type?.toLowerCase() === 'text' || type === 'varchar';
    query = query.orderBy(isText ? engineOf(db).byBytes(key) : sql.ref(key));
  }
  return query;
}

/** Whether a value survives a round trip through JSON. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value);
}
