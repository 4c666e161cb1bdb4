import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Settings of the community, invitations, admission of accounts, and held posts. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const text = sql.raw(isPostgres ? 'text collate "C"' : 'text');
  for (const column of ['admission', 'invitation_id']) {
    await sql`alter table accounts add column ${sql.ref(column)} ${text}`.execute(db);
  }
  for (const [column, type] of [
    ['refused_at_ms', 'bigint'],
    ['is_fast_sign_up', 'bigint not null default 0'],
  ] as const) {
    const check = isPostgres
      ? sql``
      : sql`check (typeof(${sql.ref(column)}) in ('integer', 'null'))`;
    await sql`alter table accounts add column ${sql.ref(column)} ${sql.raw(type)} ${check}`.execute(
      db,
    );
  }
  await sql`create table site_settings (
    revision bigint primary key,
    saved_at_ms bigint not null,
    account_id text references accounts (id),
    settings text not null
    ${isPostgres ? sql`` : wholeNumbers('revision', 'saved_at_ms')}
  )`.execute(db);
  await sql`create table invitations (
    id ${text} primary key,
    code_hash ${text} not null unique,
    account_id text not null references accounts (id),
    uses bigint not null,
    used bigint not null default 0,
    created_at_ms bigint not null,
    ends_at_ms bigint not null,
    revoked_at_ms bigint
    ${isPostgres ? sql`` : wholeNumbers('uses', 'used', 'created_at_ms', 'ends_at_ms', 'revoked_at_ms')}
  )`.execute(db);
  await sql`create table held (
    id ${text} primary key,
    account_id text not null references accounts (id),
    kind ${text} not null,
    channel_id text,
    content text not null,
    reason ${text} not null,
    revision bigint not null,
    created_at_ms bigint not null,
    rejected_by ${text},
    rejected_at_ms bigint
    ${isPostgres ? sql`` : wholeNumbers('revision', 'created_at_ms', 'rejected_at_ms')}
  )`.execute(db);
  await sql`create table held_images (
    held_id ${text} not null references held (id),
    url text not null,
    primary key (held_id, url)
  )`.execute(db);
  for (const index of [
    `pending_accounts on accounts (id) where admission = 'pending'`,
    `refused_accounts on accounts (refused_at_ms) where admission = 'refused'`,
    `accounts_by_invitation_id on accounts (invitation_id) where invitation_id is not null`,
    `site_settings_by_account_id on site_settings (account_id) where account_id is not null`,
    `invitations_by_account_id on invitations (account_id, id)`,
    `invitations_by_ends_at_ms on invitations (ends_at_ms)`,
    `pending_held on held (id) where rejected_by is null`,
    `held_by_rejected_at_ms on held (rejected_at_ms) where rejected_at_ms is not null`,
    `held_by_rejected_by on held (rejected_by) where rejected_by is not null`,
    `held_by_account_id on held (account_id, id)`,
    `held_images_by_url on held_images (url)`,
  ]) {
    await sql.raw(`create index ${index}`).execute(db);
  }
}

/** SQLite would store fractions in columns of integers. */
function wholeNumbers(...columns: string[]) {
  const areWhole = columns.map((name) => sql`typeof(${sql.ref(name)}) in ('integer', 'null')`);
  return sql`, check (${sql.join(areWhole, sql` and `)})`;
}
