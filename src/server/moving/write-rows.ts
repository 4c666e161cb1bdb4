import type { Kysely } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { MovedTable } from './moved-tables.ts';
import { type AnyTables, batchSize, type Row } from './table-rows.ts';

/** Gathers rows and does something with them a batch at a time. */
export class RowWriter {
  count = 0;
  readonly #db: Kysely<AnyTables>;
  readonly #table: MovedTable;
  readonly #write: (db: Kysely<AnyTables>, table: MovedTable, rows: Row[]) => Promise<void>;
  #waiting: Row[] = [];

  constructor(db: Database, table: MovedTable, write: typeof upsertRows) {
    this.#db = db as unknown as Kysely<AnyTables>;
    this.#table = table;
    this.#write = write;
  }

  async add(row: Row): Promise<void> {
    this.#waiting.push(row);
    if (this.#waiting.length === batchSize) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await this.#write(this.#db, this.#table, this.#waiting);
    this.count += this.#waiting.length;
    this.#waiting = [];
  }
}

/** One statement: all of them are written, or none. */
export async function upsertRows(db: Kysely<AnyTables>, { name, key }: MovedTable, rows: Row[]) {
  const rest = Object.keys(rows[0] ?? {}).filter((column) => !(column in key));
  await db
    .insertInto(name)
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(Object.keys(key))
        .doUpdateSet((eb) =>
          Object.fromEntries(rest.map((column) => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

export async function deleteRows(db: Kysely<AnyTables>, { name, key }: MovedTable, rows: Row[]) {
  await db
    .deleteFrom(name)
    .where((eb) =>
      eb.or(
        rows.map((row) =>
          eb.and(Object.keys(key).map((column) => eb(column, '=', row[column] ?? null))),
        ),
      ),
    )
    .execute();
}
