import { type SelectQueryBuilder, sql, type TableMetadata } from 'kysely';
import type { Database, Tables } from './tables.ts';

/**
 * Every table with its primary key, each after those that it refers to: in this order rows can be
 * written anew. One that a migration drops stays here, for databases that have it still.
 */
export const tableKeys: Record<string, readonly string[]> = {
  accounts: ['id'],
  sessions: ['token_hash'],
  channels: ['id'],
  comments: ['channel_id', 'number'],
  hidden_comments: ['channel_id', 'number'],
  images: ['full_path'],
  idempotency_keys: ['account_id', 'key'],
  password_links: ['token_hash'],
  audit_log: ['id'],
  rate_limits: ['key'],
} satisfies Record<keyof Tables, readonly string[]>;

export type Row = Record<string, string | number | null>;

const fetched = 500;

/** The tables that the database has of those, in their order. */
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
  for (const name of tableKeys[table.name] ?? []) {
    const isText = /text|char/.test(table.columns.find((one) => one.name === name)?.dataType ?? '');
    // Else in the alphabet of whichever language the database was made for.
    query = query.orderBy(isPostgres && isText ? sql`${sql.ref(name)} collate "C"` : sql.ref(name));
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
