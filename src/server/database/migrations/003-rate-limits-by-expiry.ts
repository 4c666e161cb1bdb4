import type { Kysely } from 'kysely';

/** Lets housekeeping delete expired counters without reading the whole table. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('rate_limits_by_expiry').on('rate_limits').column('expire').execute();
}
