import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Images that visitors no longer see get new keys in the image store. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // As in migration 015. PostgreSQL refuses fractions by itself.
  const check = isPostgres
    ? sql``
    : sql`check (typeof(${sql.ref('withdrawn_at_ms')}) in ('integer', 'null'))`;
  await sql`alter table images add column withdrawn_at_ms bigint ${check}`.execute(db);
}
