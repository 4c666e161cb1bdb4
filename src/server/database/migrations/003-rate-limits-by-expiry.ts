import type { Kysely } from 'kysely';

/** Housekeeping forgets the counts whose time is over without reading all the others. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('rate_limits_by_expiry').on('rate_limits').column('expire').execute();
}
