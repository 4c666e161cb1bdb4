import { type Kysely, Migrator, sql } from 'kysely';
import * as forum from './migrations/001-forum.ts';
import * as rateLimits from './migrations/002-rate-limits.ts';
import * as rateLimitsByExpiry from './migrations/003-rate-limits-by-expiry.ts';
import * as idempotencyKeys from './migrations/004-idempotency-keys.ts';
import type { Tables } from './tables.ts';

/** In order of name; a name is never reused and a migration never edited once released. */
const migrations = {
  '001-forum': forum,
  '002-rate-limits': rateLimits,
  '004-idempotency-keys': idempotencyKeys,
  '003-rate-limits-by-expiry': rateLimitsByExpiry,
};

/** All that a database of this version has run, in their order. */
export const migrationNames = Object.keys(migrations);

/** Brings the database up to date: all the way, or not at all. @returns names of those that ran. */
export async function migrate(db: Kysely<Tables>): Promise<string[]> {
  if (db.getExecutor().adapter.supportsTransactionalDdl) return migrateToLatest(db);
  // SQLite can do it in a transaction too; Kysely does not, and its migrator takes none.
  return db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const ran = await migrateToLatest(connection);
      await sql`commit`.execute(connection);
      return ran;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  });
}

async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}
