import type { Kysely } from 'kysely';

/**
 * Rate limit counters that several processes share, in the shape that rate-limiter-flexible expects.
 * With SQLite there is one process, which counts in memory. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'varchar(255)', (c) => c.primaryKey())
    .addColumn('points', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('expire', 'bigint')
    .execute();
}
