import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { NewerDatabase } from '../unfit-database.ts';
import * as forum from './001-forum.ts';
import * as rateLimits from './002-rate-limits.ts';
import * as rateLimitsByExpiry from './003-rate-limits-by-expiry.ts';
import * as idempotencyKeys from './004-idempotency-keys.ts';
import * as moderation from './005-moderation.ts';
import * as imageNames from './006-image-names.ts';
import * as siteGeneration from './007-site-generation.ts';

export type Migrations = Record<string, Migration>;

/** In order of name; a name is never reused and a migration never edited once released. */
export const ownMigrations: Migrations = {
  '001-forum': forum,
  '002-rate-limits': rateLimits,
  '003-rate-limits-by-expiry': rateLimitsByExpiry,
  '004-idempotency-keys': idempotencyKeys,
  '005-moderation': moderation,
  '006-image-names': imageNames,
  '007-site-generation': siteGeneration,
};

/** All that a database of this version has run, in their order. */
export const migrationNames = Object.keys(ownMigrations);

interface MigrateOptions {
  /** The last one to run; undefined means all. */
  upTo?: string | undefined;
  /** Called before data that is there already is changed, with the first migration that will. */
  beforeChange?: (first: string) => Promise<void>;
  /** Other than the forum's own, for tests. */
  migrations?: Migrations | undefined;
}

/**
 * Brings the database up to date, in one transaction: all migrations that are due, or none.
 * @throws NewerDatabase, having touched nothing @returns names of those that ran.
 */
export async function migrate(
  db: Kysely<Tables>,
  { upTo, beforeChange, migrations = ownMigrations }: MigrateOptions = {},
): Promise<string[]> {
  const done = await readMigrations(db);
  requireKnown(done, migrations);
  const [first] = Object.keys(migrations).filter((name) => !done.includes(name));
  // Kysely's way to find that out takes a lock, a transaction and, to sort names, ICU: 2 MB.
  if (!first) return [];
  if (done.length > 0) await beforeChange?.(first);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error, results } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest());
  if (error) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

/** @throws NewerDatabase when one of these migrations is not this program's */
export function requireKnown(names: string[], migrations = ownMigrations): void {
  const unknown = names.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
}

/** Names of the migrations that the database went through, oldest first; none for an empty one. */
export async function readMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration
  `.execute(db);
  return rows.map(({ name }) => name).sort();
}
