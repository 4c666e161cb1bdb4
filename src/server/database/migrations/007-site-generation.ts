import { type Kysely, sql } from 'kysely';

/** Identifies the site's current history: one row, created on first use. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('generation', 'text', (c) => c.notNull())
    .execute();
}
