import type { Kysely } from 'kysely';

/**
 * What each account or address has used up, where several processes count together. The shape is
 * what rate-limiter-flexible expects. SQLite has one process, which counts in memory. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_limits')
    .addColumn('key', 'varchar(255)', (c) => c.primaryKey())
    .addColumn('points', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('expire', 'bigint')
    .execute();
}
