import { type Kysely, sql } from 'kysely';

/** Disabled accounts, hidden channels and comments, password links and the audit log. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('disabled_at_ms', 'bigint').execute();
  await db.schema.alterTable('channels').addColumn('hidden_at_ms', 'bigint').execute();

  // The channel list uses an index of visible channels only.
  await db.schema.dropIndex('channels_by_comment_count').execute();
  await db.schema
    .createIndex('shown_channels_by_comment_count')
    .on('channels')
    .columns(['comment_count', 'id'])
    .where(sql.ref('hidden_at_ms'), 'is', null)
    .execute();

  // A separate table, so that no query of visible comments can return or has to skip hidden ones.
  await db.schema
    .createTable('hidden_comments')
    .addColumn('channel_id', 'text', (c) => c.notNull().references('channels.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('hidden_at_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('hidden_comments_key', ['channel_id', 'number'])
    .execute();

  await db.schema
    .createTable('password_links')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    // One at a time: a new link invalidates the previous one.
    .addColumn('account_id', 'text', (c) => c.notNull().unique().references('accounts.id'))
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('password_links_by_expiry')
    .on('password_links')
    .column('expires_at_ms')
    .execute();
  await db.schema.createIndex('sessions_by_account').on('sessions').column('account_id').execute();

  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .execute();
}
