import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Replies, mentions, images, thanks, edits, deletions, reading positions, channel order and names to
 * search by. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['comments', 'hidden_comments']) {
    for (const name of counters) {
      await db.schema
        .alterTable(table)
        .addColumn(name, 'integer', (c) => c.notNull().defaultTo(name === 'revision' ? 1 : 0))
        .execute();
    }
    await db.schema.alterTable(table).addColumn('edited_at_ms', 'bigint').execute();
    await db.schema.alterTable(table).addColumn('reply_to', 'integer').execute();
    await db.schema.alterTable(table).addColumn('reply_excerpt', 'text').execute();
  }
  await db.schema.alterTable('hidden_comments').addColumn('deleted_at_ms', 'bigint').execute();

  // As for hidden comments: no query of visible comments can return or has to skip deleted ones.
  await db.schema
    .createTable('deleted_comments')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('reply_count', 'integer', (c) => c.notNull())
    .addColumn('mention_count', 'integer', (c) => c.notNull())
    .addColumn('image_count', 'integer', (c) => c.notNull())
    .addColumn('thanks_count', 'integer', (c) => c.notNull())
    .addColumn('edited_at_ms', 'bigint')
    .addColumn('reply_to', 'integer')
    .addColumn('reply_excerpt', 'text')
    .addColumn('deleted_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('deleted_comments_key', ['channel_id', 'number'])
    .execute();
  await createIndex(db, 'deleted_comments', ['account_id', 'deleted_at_ms']);
  await createIndex(db, 'deleted_comments', ['deleted_at_ms']);

  // The comments of one person, newest first.
  await db.schema
    .createIndex('comments_by_account')
    .on('comments')
    .columns(['account_id', 'created_at_ms', 'channel_id', 'number'])
    .execute();
  // Unread comments are counted from the index alone.
  await createIndex(db, 'comments', ['channel_id', 'number', 'account_id']);
  // The answers to a comment.
  for (const table of ['comments', 'hidden_comments', 'deleted_comments']) {
    await db.schema
      .createIndex(`${table}_by_reply_to`)
      .on(table)
      .columns(['channel_id', 'reply_to', 'number'])
      .where(sql.ref('reply_to'), 'is not', null)
      .execute();
  }

  // The rows of a comment stay where they are while it is hidden or deleted, so they refer to its
  // channel only.
  await db.schema
    .createTable('comment_mentions')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('start', 'integer', (c) => c.notNull())
    .addColumn('length', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addPrimaryKeyConstraint('comment_mentions_key', ['channel_id', 'number', 'start'])
    .execute();
  await createIndex(db, 'comment_mentions', ['account_id']);

  await db.schema
    .createTable('comment_images')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('alt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('comment_images_key', ['channel_id', 'number', 'position'])
    .execute();
  // For the sweep, which checks whether a comment still shows an unused image.
  await createIndex(db, 'comment_images', ['url']);

  await db.schema
    .createTable('comment_thanks')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('comment_thanks_key', ['channel_id', 'number', 'account_id'])
    .execute();
  // The names shown are read from the index alone, whatever number gave thanks.
  await createIndex(db, 'comment_thanks', ['channel_id', 'number', 'created_at_ms', 'account_id']);
  // The comments of a channel that one person gave thanks for.
  await createIndex(db, 'comment_thanks', ['account_id', 'channel_id', 'number']);

  await db.schema
    .createTable('comment_versions')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('replaced_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('comment_versions_key', ['channel_id', 'number', 'revision'])
    .execute();
  await createIndex(db, 'comment_versions', ['replaced_at_ms']);

  await db.schema.alterTable('channels').addColumn('edited_at_ms', 'bigint').execute();
  await db.schema.alterTable('channels').addColumn('closed_at_ms', 'bigint').execute();
  await db.schema.alterTable('channels').addColumn('deleted_at_ms', 'bigint').execute();
  for (const [name, type, value] of [
    ['revision', 'integer', 1],
    ['last_change_number', 'integer', 0],
    ['active_at_ms', 'bigint', 0],
  ] as const) {
    await db.schema
      .alterTable('channels')
      .addColumn(name, type, (c) => c.notNull().defaultTo(value))
      .execute();
  }
  await sql`
    update channels set active_at_ms = coalesce(
      (select created_at_ms from comments where channel_id = channels.id order by number desc limit 1),
      created_at_ms)
  `.execute(db);
  for (const column of ['active_at_ms', undefined]) {
    await db.schema
      .createIndex(column ? 'shown_channels_by_activity' : 'shown_channels_by_id')
      .on('channels')
      .columns(column ? [column, 'id'] : ['id'])
      .where(sql.ref('hidden_at_ms'), 'is', null)
      .execute();
  }
  // The channels of one person, newest first. It does all that the index without ids did.
  await db.schema.dropIndex('channels_by_account').execute();
  await db.schema
    .createIndex('channels_by_account')
    .on('channels')
    .columns(['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('deleted_channels')
    .on('channels')
    .column('deleted_at_ms')
    .where(sql.ref('deleted_at_ms'), 'is not', null)
    .execute();

  await db.schema
    .createIndex('deleted_channels_by_account')
    .on('channels')
    .columns(['account_id', 'deleted_at_ms'])
    .where(sql.ref('deleted_at_ms'), 'is not', null)
    .execute();

  await db.schema
    .createTable('channel_versions')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('revision', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('cover', 'text', (c) => c.notNull())
    .addColumn('cover_alt', 'text', (c) => c.notNull())
    .addColumn('replaced_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_versions_key', ['channel_id', 'revision'])
    .execute();
  await createIndex(db, 'channel_versions', ['replaced_at_ms']);
  // For the sweep, as above.
  await createIndex(db, 'channel_versions', ['cover']);

  await db.schema
    .createTable('channel_changes')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('change_number', 'integer', (c) => c.notNull())
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('channel_changes_key', ['channel_id', 'change_number'])
    .execute();
  await createIndex(db, 'channel_changes', ['at_ms']);

  await db.schema
    .createTable('reading_positions')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('reading_positions_key', ['account_id', 'channel_id'])
    .execute();
  await createIndex(db, 'reading_positions', ['channel_id']);

  // Both engines must compare it by bytes; PostgreSQL's default collation may be linguistic.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteOrder = isPostgres ? sql`collate "C"` : sql`collate binary`;
  await db.schema
    .alterTable('accounts')
    .addColumn('name_key', 'text', (c) => c.modifyEnd(byteOrder))
    .execute();
  await db.schema
    .createIndex('enabled_accounts_by_name_key')
    .on('accounts')
    .columns(['name_key', 'id'])
    .where(sql.ref('disabled_at_ms'), 'is', null)
    .execute();
}

const counters = ['revision', 'reply_count', 'mention_count', 'image_count', 'thanks_count'];

async function createIndex(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_and_')}`)
    .on(table)
    .columns(columns)
    .execute();
}
