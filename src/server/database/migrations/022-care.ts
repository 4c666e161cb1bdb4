import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Roles, reports, decisions and whom they concern; settings of the community, invitations, admission of accounts, and
 * held posts. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // Compared by bytes on both engines. Ids of accounts are compared as in that table, or PostgreSQL could not use its
  // index.
  const text = sql.raw(isPostgres ? 'text collate "C"' : 'text');
  const role = sql`check (role in ('member', 'moderator', 'admin'))`;
  await sql`alter table accounts add column role ${text} not null default 'member' ${role}`.execute(
    db,
  );
  for (const [table, column] of [
    ['accounts', 'hidden_by'],
    ['accounts', 'admission'],
    ['accounts', 'refused_by'],
    ['accounts', 'invitation_id'],
    ['password_links', 'made_by'],
  ] as const) {
    await sql`alter table ${sql.ref(table)} add column ${sql.ref(column)} ${text}`.execute(db);
  }
  for (const [table, column] of [
    ['accounts', 'is_fast_sign_up'],
    ['comment_thanks', 'is_hidden'],
  ] as const) {
    const isWhole = isPostgres ? sql`` : sql`check (typeof(${sql.ref(column)}) = 'integer')`;
    await sql`alter table ${sql.ref(table)} add column ${sql.ref(column)} bigint not null default 0 ${isWhole}`.execute(
      db,
    );
  }
  await sql`create table decisions (
    id ${text} primary key,
    at_ms bigint not null,
    action ${text} not null,
    category ${text} not null,
    reason text not null,
    subject_kind ${text} not null,
    subject_id ${text} not null,
    decided_by text,
    until_ms bigint,
    replaces ${text},
    undone_at_ms bigint,
    undone_by text
    ${isPostgres ? sql`` : wholeNumbers('at_ms', 'until_ms', 'undone_at_ms')}
  )`.execute(db);
  await sql`create table decision_accounts (
    decision_id ${text} not null references decisions (id),
    account_id text not null references accounts (id),
    ended_by ${text},
    work ${text},
    appeal text not null default '',
    appealed_at_ms bigint,
    primary key (decision_id, account_id)
    ${isPostgres ? sql`` : wholeNumbers('appealed_at_ms')}
  )`.execute(db);
  await sql`create table cases (
    id ${text} primary key,
    subject_kind ${text} not null,
    subject_id ${text} not null,
    account_id text not null references accounts (id),
    appeal_of ${text},
    text text not null,
    images text not null,
    revision bigint not null,
    report_count bigint not null,
    opened_at_ms bigint not null,
    decided_at_ms bigint,
    decision_id ${text}
    ${isPostgres ? sql`` : wholeNumbers('revision', 'report_count', 'opened_at_ms', 'decided_at_ms')}
  )`.execute(db);
  await sql`create table reports (
    id ${text} primary key,
    case_id ${text} not null references cases (id),
    receipt ${text} not null unique,
    account_id text references accounts (id),
    reporter_key ${text} not null,
    reason ${text} not null,
    text text not null,
    said text not null default '',
    name text not null,
    email text not null,
    created_at_ms bigint not null,
    unique (case_id, reporter_key)
    ${isPostgres ? sql`` : wholeNumbers('created_at_ms')}
  )`.execute(db);
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
    reply_to bigint,
    content text not null,
    reason ${text} not null,
    revision bigint not null,
    created_at_ms bigint not null,
    expires_at_ms bigint not null,
    rejected_by ${text}
    ${isPostgres ? sql`` : wholeNumbers('reply_to', 'revision', 'created_at_ms', 'expires_at_ms')}
  )`.execute(db);
  await sql`create table held_images (
    held_id ${text} not null references held (id) on delete cascade,
    url text not null,
    primary key (held_id, url)
  )`.execute(db);
  for (const index of [
    `decisions_by_decided_by on decisions (decided_by) where decided_by is not null`,
    `decisions_by_undone_by on decisions (undone_by) where undone_by is not null`,
    `logged_decisions on decisions (id) where action <> 'dismiss'`,
    `accounts_by_hidden_by on accounts (hidden_by) where hidden_by is not null`,
    `accounts_by_created_at_ms on accounts (created_at_ms)`,
    `staff on accounts (role) where role <> 'member'`,
    `decision_accounts_by_account_id on decision_accounts (account_id, decision_id)`,
    `decision_accounts_by_work on decision_accounts (decision_id) where work is not null`,
    `cases_by_decided_at_ms on cases (decided_at_ms, id) where decided_at_ms is not null`,
    `open_cases on cases (id) where decided_at_ms is null`,
    `cases_by_account_id on cases (account_id)`,
    `cases_by_decision_id on cases (decision_id) where decision_id is not null`,
    `appeals on cases (appeal_of) where appeal_of is not null`,
    `reports_by_account_id on reports (account_id) where account_id is not null`,
    `deleted_comments_by_time on comments (deleted_at_ms) where deleted_at_ms is not null`,
    `comments_by_hidden_by on comments (hidden_by, account_id) where hidden_by is not null`,
    `channels_by_hidden_by on channels (hidden_by) where hidden_by is not null`,
    `pending_accounts on accounts (id) where admission = 'pending'`,
    `accounts_by_invitation_id on accounts (invitation_id) where invitation_id is not null`,
    `site_settings_by_account_id on site_settings (account_id) where account_id is not null`,
    `invitations_by_account_id on invitations (account_id, id)`,
    `invitations_by_ends_at_ms on invitations (ends_at_ms)`,
    `pending_held on held (id) where rejected_by is null`,
    `held_by_expires_at_ms on held (expires_at_ms)`,
    `held_by_rejected_by on held (rejected_by) where rejected_by is not null`,
    `held_by_account_id on held (account_id, id)`,
    `held_replies on held (channel_id, reply_to) where reply_to is not null`,
    `held_images_by_url on held_images (url)`,
  ]) {
    await sql.raw(`create index ${index}`).execute(db);
  }
  // Comments are erased 30 days after their deletion, hidden or not.
  await db.schema.dropIndex('bin_by_time').execute();
  // Reports on the same content merge while its case is open. An appeal is a case of its own.
  await sql`
    create unique index open_cases_by_subject
    on cases (subject_kind, subject_id, coalesce(appeal_of, ''), account_id) where decided_at_ms is null
  `.execute(db);
}

/** SQLite would store fractions in columns of integers. */
function wholeNumbers(...columns: string[]) {
  const areWhole = columns.map((name) => sql`typeof(${sql.ref(name)}) in ('integer', 'null')`);
  return sql`, check (${sql.join(areWhole, sql` and `)})`;
}
