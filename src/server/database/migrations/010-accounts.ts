import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Remembered browsers, sessions that can be listed, recovery codes, passkeys and deletion of accounts.
 * Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await createIndex(db, 'devices', 'account_id');
  await createIndex(db, 'devices', 'expires_at_ms');

  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const random = sql.raw(isPostgres ? 'gen_random_uuid()::text' : 'lower(hex(randomblob(16)))');
  await db.schema.alterTable('sessions').addColumn('id', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('device_id', 'text').execute();
  await db.schema
    .alterTable('sessions')
    .addColumn('browser', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('sessions').addColumn('last_used_at_ms', 'bigint').execute();
  await sql`update sessions set id = ${random}, last_used_at_ms = created_at_ms`.execute(db);
  await createIndex(db, 'sessions', 'id');
  await createIndex(db, 'sessions', 'device_id');

  await db.schema.alterTable('accounts').addColumn('name_changed_at_ms', 'bigint').execute();
  await db.schema.alterTable('accounts').addColumn('deletion_at_ms', 'bigint').execute();
  await db.schema.alterTable('accounts').addColumn('deletion_content', 'text').execute();
  await db.schema.alterTable('accounts').addColumn('deletion_receipt', 'text').execute();
  await db.schema.alterTable('accounts').addColumn('recovery_reminded_at_ms', 'bigint').execute();
  await db.schema.alterTable('accounts').addColumn('erased_at_ms', 'bigint').execute();
  await db.schema
    .createIndex('accounts_by_deletion')
    .on('accounts')
    .column('deletion_at_ms')
    .where(sql.ref('deletion_at_ms'), 'is not', null)
    .execute();

  await db.schema
    .createIndex('accounts_by_erasure')
    .on('accounts')
    .column('erased_at_ms')
    .where(sql.ref('erased_at_ms'), 'is not', null)
    .execute();
  for (const table of ['hidden_comments', 'deleted_comments']) {
    await db.schema
      .createIndex(`${table}_by_author`)
      .on(table)
      .columns(['account_id', 'channel_id', 'number'])
      .execute();
  }

  await db.schema
    .createTable('recovery_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await createIndex(db, 'recovery_codes', 'account_id');

  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at_ms', 'bigint')
    .execute();
  await createIndex(db, 'passkeys', 'account_id');

  await db.schema
    .createTable('passkey_challenges')
    .addColumn('challenge_hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.references('accounts.id'))
    .addColumn('expires_at_ms', 'bigint', (c) => c.notNull())
    .execute();
  await createIndex(db, 'passkey_challenges', 'expires_at_ms');
}

async function createIndex(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
}
