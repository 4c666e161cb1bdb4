import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Erased accounts have no e-mail key: their ids stood there, which may be others' addresses. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`
      alter table accounts alter column email_key drop not null,
        add constraint open_accounts_have_email_keys
          check (email_key is not null or erased_at_ms is not null)
    `.execute(db);
  } else {
    await rebuildAccounts(db);
  }
  await sql`update accounts set email_key = null where erased_at_ms is not null`.execute(db);
}

/**
 * SQLite cannot drop NOT NULL: the table is created again, with the same columns and indexes. Other
 * tables refer to it, so foreign keys must be off (migrate.ts).
 */
async function rebuildAccounts(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_schema where tbl_name = 'accounts' and sql is not null
  `.execute(db);
  const former = rows.find(({ type }) => type === 'table')?.sql ?? '';
  const rebuilt = former
    .replace('"accounts"', '"new_accounts"')
    .replace(
      '"email_key" text not null unique',
      '"email_key" text unique check ("email_key" is not null or "erased_at_ms" is not null)',
    );
  if (!rebuilt.includes('check')) throw new Error(`accounts has another form: ${former}`);
  await sql.raw(rebuilt).execute(db);
  await sql`insert into new_accounts select * from accounts`.execute(db);
  await sql`drop table accounts`.execute(db);
  await sql`alter table new_accounts rename to accounts`.execute(db);
  for (const index of rows.filter(({ type }) => type !== 'table')) {
    await sql.raw(index.sql).execute(db);
  }
}
