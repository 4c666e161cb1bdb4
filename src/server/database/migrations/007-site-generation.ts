import { type Kysely, sql } from 'kysely';

/** Names the site's present history: one row, made when it is first asked for. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('generation', 'text', (c) => c.notNull())
    .execute();
}
