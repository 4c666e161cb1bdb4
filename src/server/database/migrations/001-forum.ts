import type { Kysely } from 'kysely';

/** Accounts, sessions, channels, comments and images. Frozen: changes come as a further migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('email_key', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('img', 'text')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('sessions_by_expiry')
    .on('sessions')
    .column('expires_at_ms')
    .execute();

  await db.schema
    .createTable('channels')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('cover', 'text', (c) => c.notNull())
    .addColumn('cover_alt', 'text', (c) => c.notNull())
    .addColumn('comment_count', 'integer', (c) => c.notNull())
    .addColumn('last_comment_number', 'integer', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('channels_by_comment_count')
    .on('channels')
    .columns(['comment_count', 'id'])
    .execute();
  await db.schema.createIndex('channels_by_account').on('channels').column('account_id').execute();

  await db.schema
    .createTable('comments')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('comments_key', ['channel_id', 'number'])
    .execute();

  await db.schema
    .createTable('images')
    .addColumn('full_path', 'text', (c) => c.primaryKey())
    .addColumn('path_key', 'text', (c) => c.notNull().unique())
    .addColumn('url', 'text', (c) => c.notNull().unique())
    .addColumn('picture_id', 'text', (c) => c.notNull().unique())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('use', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'integer', (c) => c.notNull())
    .addColumn('stored_bytes', 'integer', (c) => c.notNull())
    .addColumn('md5', 'text', (c) => c.notNull())
    .addColumn('content_hash', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('largest_form', 'integer', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('used_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('images_by_account').on('images').column('account_id').execute();
  await db.schema.createIndex('images_by_last_use').on('images').column('used_at_ms').execute();
  // For the sweep, which checks whether a channel or an account still shows an unused image.
  await db.schema.createIndex('channels_by_cover').on('channels').column('cover').execute();
  await db.schema.createIndex('accounts_by_img').on('accounts').column('img').execute();
}
