import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Kysely, type Migration, sql } from 'kysely';
import { engineOf } from '../engine.ts';
import { ForeignDatabase, OtherVersion } from '../errors.ts';
import type { Database } from '../tables.ts';
import { inTransaction } from '../transactions.ts';

export type Migrations = Record<string, Migration>;

const files = readdirSync(import.meta.dirname).filter((name) => /^\d.*\.m?[jt]s$/.test(name));
const misnamed = files.filter((name) => !/^\d{3}-[\w-]+\.ts$/.test(name));
if (misnamed.length > 0) throw new Error(`not a name of a migration: ${misnamed.join(', ')}`);

/**
 * The migrations in this folder by name, in order; each is loaded when it runs. Names are never reused, and
 * released migrations never change.
 */
export const allMigrations: Migrations = Object.fromEntries(
  files.sort().map((file) => {
    const up = async (db: Kysely<unknown>) => {
      const migration = (await import(`./${file}`)) as Migration;
      await migration.up(db);
    };
    return [path.basename(file, '.ts'), { up }];
  }),
);

/** Names of all migrations of this version, in order. */
export const migrationNames = Object.keys(allMigrations);

interface MigrateOptions {
  /** The last migration to run; undefined runs all. */
  upTo?: string | undefined;
  /** Called with the name of the first pending migration before an existing database is changed. */
  beforeChange?: (first: string) => Promise<void>;
  /** Overrides `allMigrations` in tests. */
  migrations?: Migrations | undefined;
}

/**
 * Runs all pending migrations in one transaction, which may be the caller's.
 * @throws OtherVersion, ForeignDatabase before any change @returns names of the migrations that ran
 */
export async function migrate(
  db: Database,
  { upTo, beforeChange, migrations = allMigrations }: MigrateOptions = {},
): Promise<string[]> {
  const done = await readMigrations(db);
  requireKnown(done, migrations);
  const [first] = Object.keys(migrations).filter((name) => !done.includes(name));
  // Usually nothing is pending, and no lock or transaction is needed.
  if (!first) return [];
  if (done.length > 0) await beforeChange?.(first);
  return inTransaction(db, async (trx) => {
    await lockMigrations(trx);
    const earlier = await readMigrations(trx);
    if (earlier.length === 0 && (await hasOtherTables(trx))) throw new ForeignDatabase();
    const names = Object.keys(migrations).sort();
    const wanted = upTo === undefined ? names : names.slice(0, names.indexOf(upTo) + 1);
    const pending = wanted.filter((name) => !earlier.includes(name));
    for (const name of pending) {
      await migrations[name]?.up(trx);
      const timestamp = new Date().toISOString();
      await sql`insert into kysely_migration values (${name}, ${timestamp})`.execute(trx);
    }
    return pending;
  });
}

/** Ensures that one process at a time migrates, and that the table of migrations exists. */
async function lockMigrations(trx: Database): Promise<void> {
  await engineOf(trx).lockMigrations(trx);
  await sql`
    create table if not exists kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)
  `.execute(trx);
}

/** Whether a database without migrations has tables, which then are of another program. */
async function hasOtherTables(db: Database): Promise<boolean> {
  const names = await engineOf(db).tableNames(db);
  return names.some((name) => name !== 'kysely_migration');
}

/** @throws OtherVersion when one of these migrations is unknown to this version */
export function requireKnown(names: string[], migrations = allMigrations): void {
  const unknown = names.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new OtherVersion(unknown);
}

/** Names of the migrations that the database has run, oldest first; none for an empty database. */
export async function readMigrations(db: Database): Promise<string[]> {
  if (!(await engineOf(db).tableNames(db)).includes('kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration
  `.execute(db);
  return rows.map(({ name }) => name).sort();
}
