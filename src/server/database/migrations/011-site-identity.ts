import { type Kysely, sql } from 'kysely';

/** The site that the image store must belong to: one row, created on first use. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site_identity')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('identity', 'text', (c) => c.notNull())
    .execute();
}
