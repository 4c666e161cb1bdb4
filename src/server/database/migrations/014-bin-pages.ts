import type { Kysely } from 'kysely';

/** The bin of one account page by page, the latest first, also where several share a millisecond. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('deleted_comments_by_account_and_time')
    .on('deleted_comments')
    .columns(['account_id', 'deleted_at_ms', 'channel_id', 'number'])
    .execute();
  await db.schema.dropIndex('deleted_comments_by_account_id_and_deleted_at_ms').execute();
}
