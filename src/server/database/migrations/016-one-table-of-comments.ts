import { type Kysely, sql } from 'kysely';
import { makeViews } from './views.ts';

/** Hidden and deleted comments become rows of `comments`, and visitors read from views. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Migration 017 adds checks of them as in migration 015: SQLite would read all rows for each.
  await db.schema.alterTable('comments').addColumn('deleted_at_ms', 'bigint').execute();
  await db.schema.alterTable('comments').addColumn('hidden_at_ms', 'bigint').execute();
  await db.schema.alterTable('comments').addColumn('hidden_by', 'text').execute();
  await db.schema.alterTable('channels').addColumn('hidden_by', 'text').execute();
  await move(db, 'deleted_comments', ['deleted_at_ms']);
  await move(db, 'hidden_comments', ['deleted_at_ms', 'hidden_at_ms']);
  // Until now a channel that its author had deleted was hidden at the same time.
  await sql`update channels set hidden_at_ms = null where hidden_at_ms = deleted_at_ms`.execute(db);

  for (const name of ['comment_count', 'activity', 'id']) {
    await db.schema.dropIndex(`shown_channels_by_${name}`).execute();
  }
  await db.schema.dropIndex('comments_by_channel_id_and_number_and_account_id').execute();
  // Lists read nothing that is hidden or deleted, however much of it lies in between. Migration 017 makes those of
  // comments.
  for (const [name, columns] of [
    ['comment_count', 'comment_count, id'],
    ['activity', 'active_at_ms, id'],
    ['id', 'id'],
  ]) {
    await sql
      .raw(`create index visible_channels_by_${name} on channels (${columns}) where ${visible}`)
      .execute(db);
  }
  await makeViews(db, { visible_channels: channelColumns, visible_comments: commentColumns });
}

const visible = 'deleted_at_ms is null and hidden_at_ms is null';

const commentColumns = [
  'channel_id',
  'number',
  'account_id',
  'text',
  'created_at_ms',
  'revision',
  'edited_at_ms',
  'reply_to',
  'reply_excerpt',
  'reply_count',
  'mention_count',
  'image_count',
  'thanks_count',
];

const channelColumns = [
  'id',
  'account_id',
  'name',
  'description',
  'cover',
  'cover_alt',
  'comment_count',
  'last_comment_number',
  'created_at_ms',
  'closed_at_ms',
  'edited_at_ms',
  'revision',
  'last_change_number',
  'active_at_ms',
];

/** Moves the rows of a table to `comments` and drops it. @param more columns that it has besides */
async function move(db: Kysely<unknown>, table: string, more: string[]): Promise<void> {
  const columns = sql.join([...commentColumns, ...more].map((name) => sql.ref(name)));
  await sql`
    insert into comments (${columns}) select ${columns} from ${sql.table(table)}
  `.execute(db);
  await db.schema.dropTable(table).execute();
}
