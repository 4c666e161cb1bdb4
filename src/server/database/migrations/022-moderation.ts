import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Roles, reports, decisions and whom they concern. Frozen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // Compared by bytes on both engines.
  const text = sql.raw(isPostgres ? 'text collate "C"' : 'text');
  const role = sql`check (role in ('member', 'moderator', 'admin'))`;
  await sql`alter table accounts add column role ${text} not null default 'member' ${role}`.execute(
    db,
  );
  await sql`alter table accounts add column hidden_by ${text}`.execute(db);
  await sql`create table decisions (
    id ${text} primary key,
    at_ms bigint not null,
    action ${text} not null,
    category ${text} not null,
    reason text not null,
    subject_kind ${text} not null,
    subject_id ${text} not null,
    decided_by ${text},
    until_ms bigint,
    replaces ${text},
    undone_at_ms bigint,
    undone_by ${text}
    ${isPostgres ? sql`` : wholeNumbers('at_ms', 'until_ms', 'undone_at_ms')}
  )`.execute(db);
  await sql`create table decision_accounts (
    decision_id ${text} not null references decisions (id),
    account_id ${text} not null references accounts (id),
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
    account_id ${text} not null references accounts (id),
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
    account_id ${text} references accounts (id),
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
  for (const index of [
    `decisions_by_decided_by on decisions (decided_by) where decided_by is not null`,
    `decisions_by_undone_by on decisions (undone_by) where undone_by is not null`,
    `logged_decisions on decisions (id) where action <> 'dismiss'`,
    `accounts_by_hidden_by on accounts (hidden_by) where hidden_by is not null`,
    `accounts_by_created_at_ms on accounts (created_at_ms)`,
    `staff on accounts (role) where role <> 'member'`,
    `decision_accounts_by_account_id on decision_accounts (account_id, decision_id)`,
    `decision_accounts_by_work on decision_accounts (work) where work is not null`,
    `cases_by_decided_at_ms on cases (decided_at_ms, id) where decided_at_ms is not null`,
    `open_cases on cases (id) where decided_at_ms is null`,
    `cases_by_account_id on cases (account_id)`,
    `cases_by_decision_id on cases (decision_id) where decision_id is not null`,
    `appeals on cases (appeal_of) where appeal_of is not null`,
    `reports_by_account_id on reports (account_id) where account_id is not null`,
    `comments_by_hidden_by on comments (hidden_by, account_id) where hidden_by is not null`,
    `channels_by_hidden_by on channels (hidden_by) where hidden_by is not null`,
  ]) {
    await sql.raw(`create index ${index}`).execute(db);
  }
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
