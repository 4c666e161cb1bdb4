import { type Kysely, sql } from 'kysely';
import { migrationNames } from '../database/migrate.ts';
import { tableKeys } from '../database/table-keys.ts';
import type { Database } from '../database/tables.ts';
import { MoveRefused } from './move-refused.ts';
import { isPostgres } from './table-rows.ts';

/** Where Kysely notes which migrations ran. */
const migrationTable = 'kysely_migration';

/**
 * Whether the database has tertulia's tables, of this version.
 * @param which 'source' or 'target', for the message
 * @throws MoveRefused when they are another version's, or another program's
 */
export async function hasOurTables(db: Database, which: 'source' | 'target'): Promise<boolean> {
  const names = await readTableNames(db);
  const ran = names.has(migrationTable) ? await readMigrations(db) : [];
  if (ran.length === 0) {
    const foreign = Object.keys(tableKeys).filter((name) => names.has(name));
    if (foreign.length === 0) return false;
    throw new MoveRefused(
      `The ${which}'s database has tables that tertulia did not make: ${foreign.join(', ')}.`,
    );
  }
  if (ran.join() === migrationNames.join()) return true;
  const isOlder = ran.every((name, i) => name === migrationNames[i]);
  const remedy = {
    source: 'Start the server there once with this version, then move',
    target: 'Empty it, or move into another',
  }[which];
  throw new MoveRefused(
    isOlder
      ? `The ${which}'s database is of an older version of tertulia (${ran.at(-1)}). ${remedy}.`
      : `The ${which}'s database is of a newer version of tertulia (${ran.at(-1)}). Update this one.`,
  );
}

async function readTableNames(db: Database): Promise<Set<string>> {
  const all = isPostgres(db)
    ? sql<{ name: string }>`
        select tablename as name from pg_tables where schemaname = any(current_schemas(false))`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`;
  const { rows } = await all.execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function readMigrations(db: Database): Promise<string[]> {
  const rows = await (db as unknown as Kysely<Record<string, { name: string }>>)
    .selectFrom(migrationTable)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
