import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { NewerDatabase } from '../errors.ts';
import type { Tables } from '../tables.ts';
import * as forum from './001-forum.ts';
import * as rateLimits from './002-rate-limits.ts';
import * as rateLimitsByExpiry from './003-rate-limits-by-expiry.ts';
import * as idempotencyKeys from './004-idempotency-keys.ts';
import * as moderation from './005-moderation.ts';
import * as imageNames from './006-image-names.ts';
import * as siteGeneration from './007-site-generation.ts';
import * as conversation from './008-conversation.ts';
import * as search from './009-search.ts';
import * as accounts from './010-accounts.ts';
import * as siteIdentity from './011-site-identity.ts';

export type Migrations = Record<string, Migration>;

/** Ordered by name. Names are never reused, and released migrations never change. */
export const ownMigrations: Migrations = {
  '001-forum': forum,
  '002-rate-limits': rateLimits,
  '003-rate-limits-by-expiry': rateLimitsByExpiry,
  '004-idempotency-keys': idempotencyKeys,
  '005-moderation': moderation,
  '006-image-names': imageNames,
  '007-site-generation': siteGeneration,
  '008-conversation': conversation,
  '009-search': search,
  '010-accounts': accounts,
  '011-site-identity': siteIdentity,
};

/** Names of all migrations of this version, in order. */
export const migrationNames = Object.keys(ownMigrations);

interface MigrateOptions {
  /** Last migration to run; undefined means all. */
  upTo?: string | undefined;
  /** Called with the first pending migration before a database that has data is changed. */
  beforeChange?: (first: string) => Promise<void>;
  /** Overrides `ownMigrations` in tests. */
  migrations?: Migrations | undefined;
}

/**
 * Runs all pending migrations in one transaction.
 * @throws NewerDatabase before any change @returns names of the migrations that ran
 */
export async function migrate(
  db: Kysely<Tables>,
  { upTo, beforeChange, migrations = ownMigrations }: MigrateOptions = {},
): Promise<string[]> {
  const done = await readMigrations(db);
  requireKnown(done, migrations);
  const [first] = Object.keys(migrations).filter((name) => !done.includes(name));
  // Most starts end here, without Kysely's migration lock and transaction.
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

/** @throws NewerDatabase when one of these migrations is unknown to this version */
export function requireKnown(names: string[], migrations = ownMigrations): void {
  const unknown = names.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
}

/** Names of the migrations that the database has run, oldest first; none for an empty database. */
export async function readMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration
  `.execute(db);
  return rows.map(({ name }) => name).sort();
}
