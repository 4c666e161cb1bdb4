import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { MovedTable } from './moved-tables.ts';

/** Texts and whole numbers are all that the tables hold; a test sees to it. */
export type Row = Record<string, string | number | null>;

/** Any tables: a move does not care what they are about. */
export type AnyTables = Record<string, Row>;

/** How many rows travel, and lie in memory, at a time. */
export const batchSize = 500;

export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Everything that `work` reads is of one moment, whoever writes meanwhile. */
export function inSnapshot<T>(
  db: Database,
  work: (snapshot: Transaction<AnyTables>) => Promise<T>,
): Promise<T> {
  return (db as unknown as Kysely<AnyTables>)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work);
}

/** A table's rows in the order of the bytes of their keys, which is the same on both engines. */
export async function* readRows(
  snapshot: Transaction<AnyTables>,
  { name, key }: MovedTable,
): AsyncGenerator<Row> {
  const postgres = snapshot.getExecutor().adapter instanceof PostgresAdapter;
  const order = Object.entries(key).map(([column, type]) =>
    // PostgreSQL would else order as people of the database's language do.
    postgres && type === 'text' ? sql`${sql.ref(column)} collate "C"` : sql.ref(column),
  );
  if (!postgres) {
    const all = snapshot.selectFrom(name).selectAll();
    yield* order.reduce((rows, column) => rows.orderBy(column), all).stream();
    return;
  }
  // It sorts once; asking for batch after batch would sort as often.
  await sql`declare rows_to_move no scroll cursor for
    select * from ${sql.table(name)} order by ${sql.join(order)}`.execute(snapshot);
  try {
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(batchSize)} from rows_to_move`.execute(
        snapshot,
      );
      yield* rows;
      if (rows.length < batchSize) return;
    }
  } finally {
    // After an error the transaction has taken it along.
    await sql`close rows_to_move`.execute(snapshot).catch(() => {});
  }
}
