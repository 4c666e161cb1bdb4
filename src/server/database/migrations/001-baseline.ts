import { randomBytes } from 'node:crypto';
import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * All tables of 1.0.0. Frozen: every change of the schema since then is a migration of its own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // PostgreSQL's default collation may be linguistic; SQLite compares by bytes.
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  const statements = [
    ...accounts(byteText),
    ...content(isPostgres, byteText),
    ...images,
    ...moderation(byteText),
    ...site,
    ...(isPostgres ? postgresSearch : sqliteSearch),
    ...views(isPostgres),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  const identity = randomBytes(4).toString('hex');
  await sql`insert into site (id, identity) values (1, ${identity})`.execute(db);
  if (!isPostgres) await refuseFractions(db);
}

const accounts = (byteText: string) => [
  `create table accounts (
    id text primary key,
    name text not null,
    email text not null,
    email_key text unique,
    password_hash text not null,
    img text,
    created_at_ms bigint not null,
    disabled_at_ms bigint,
    name_key ${byteText},
    name_changed_at_ms bigint,
    deletion_at_ms bigint,
    deletion_content text,
    deletion_requested_at_ms bigint,
    recovery_reminded_at_ms bigint,
    notifications_seen_id bigint not null default 0,
    decisions_seen_id ${byteText} not null default '',
    erased_at_ms bigint,
    role ${byteText} not null default 'member'
      check (role in ('member', 'moderator', 'admin')),
    hidden_by ${byteText},
    admission ${byteText},
    about text not null default '',
    refused_by ${byteText},
    invitation_id ${byteText},
    approved_at_ms bigint,
    email_confirmed_at_ms bigint,
    mail_every ${byteText} not null default 'day'
      check (mail_every in ('never', 'hour', 'day', 'week')),
    mail_secret text,
    mail_refused_at_ms bigint,
    mailed_notification_id bigint not null default 0,
    mailed_decision_id ${byteText} not null default '',
    mailed_at_ms bigint not null default 0,
    mail_moderation ${byteText} not null default 'hour' check (mail_moderation in ('hour', 'never')),
    moderation_mailed_at_ms bigint not null default 0,
    push_excerpts integer not null default 0,
    quiet_zone text,
    constraint open_accounts_have_email_keys
      check (email_key is not null or erased_at_ms is not null)
  )`,
  // For the sweep, which checks whether an account still shows an unused image.
  'create index accounts_by_img on accounts (img)',
  `create index shown_accounts_by_name_key on accounts (name_key, id)
    where hidden_by is null and disabled_at_ms is null`,
  `create index accounts_by_deletion on accounts (deletion_at_ms)
    where deletion_at_ms is not null`,
  'create index accounts_by_erasure on accounts (erased_at_ms) where erased_at_ms is not null',
  'create index accounts_by_created_at_ms on accounts (created_at_ms)',
  `create index staff on accounts (role) where role <> 'member'`,
  // For the query that finds the accounts to send news to.
  `create index accounts_with_news on accounts (id)
    where email_confirmed_at_ms is not null and mail_every <> 'never' and mail_refused_at_ms is null`,
  `create index pending_accounts on accounts (id) where admission = 'pending'`,
  `create index accounts_by_invitation_id on accounts (invitation_id)
    where invitation_id is not null`,

  `create table account_names (
    word ${byteText} not null,
    account_id text not null references accounts (id),
    primary key (word, account_id)
  )`,
  'create index account_names_by_account_id on account_names (account_id)',

  `create table invitations (
    id ${byteText} primary key,
    code_hash ${byteText} not null unique,
    account_id text not null references accounts (id),
    uses bigint not null,
    used bigint not null default 0,
    created_at_ms bigint not null,
    ends_at_ms bigint not null,
    revoked_at_ms bigint
  )`,
  'create index invitations_by_account_id on invitations (account_id, id)',
  'create index invitations_by_ends_at_ms on invitations (ends_at_ms)',

  `create table devices (
    id text primary key,
    token_hash text not null unique,
    account_id text not null references accounts (id),
    reader_hash text unique,
    browser text not null,
    created_at_ms bigint not null,
    last_used_at_ms bigint not null,
    expires_at_ms bigint not null
  )`,
  'create index devices_by_account_id on devices (account_id)',
  'create index devices_by_expires_at_ms on devices (expires_at_ms)',

  `create table push_subscriptions (
    device_id text primary key references devices (id) on delete cascade,
    account_id text not null references accounts (id),
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    created_at_ms bigint not null,
    pushed_notification_id bigint not null,
    pushed_decision_id ${byteText} not null,
    tries integer not null default 0,
    next_try_at_ms bigint not null
  )`,
  'create index push_subscriptions_by_account_id on push_subscriptions (account_id)',
  'create index push_subscriptions_by_next_try on push_subscriptions (next_try_at_ms)',

  `create table sessions (
    token_hash text primary key,
    id text not null,
    account_id text not null references accounts (id),
    device_id text,
    reader_hash text unique,
    browser text not null default '',
    created_at_ms bigint not null,
    last_used_at_ms bigint not null,
    expires_at_ms bigint not null
  )`,
  'create index sessions_by_expiry on sessions (expires_at_ms)',
  'create index sessions_by_account on sessions (account_id)',
  'create index sessions_by_id on sessions (id)',
  'create index sessions_by_device_id on sessions (device_id)',

  `create table recovery_codes (
    code_hash text primary key,
    account_id text not null references accounts (id),
    created_at_ms bigint not null
  )`,
  'create index recovery_codes_by_account_id on recovery_codes (account_id)',

  `create table passkeys (
    id text primary key,
    account_id text not null references accounts (id),
    public_key text not null,
    counter bigint not null,
    transports text not null,
    name text not null,
    created_at_ms bigint not null,
    last_used_at_ms bigint
  )`,
  'create index passkeys_by_account_id on passkeys (account_id)',

  `create table passkey_challenges (
    challenge_hash text primary key,
    account_id text references accounts (id),
    expires_at_ms bigint not null
  )`,
  'create index passkey_challenges_by_expires_at_ms on passkey_challenges (expires_at_ms)',

  `create table password_links (
    token_hash text primary key,
    account_id text not null references accounts (id),
    expires_at_ms bigint not null,
    made_by ${byteText},
    mail_id ${byteText}
  )`,
  'create index password_links_by_account_id on password_links (account_id)',
  'create index password_links_by_expiry on password_links (expires_at_ms)',

  // One link at a time: a new one invalidates the previous one.
  `create table email_confirmations (
    token_hash text primary key,
    account_id text not null unique references accounts (id),
    expires_at_ms bigint not null
  )`,
  'create index email_confirmations_by_expiry on email_confirmations (expires_at_ms)',

  `create table mails (
    id ${byteText} primary key,
    account_id text not null references accounts (id),
    kind ${byteText} not null check (
      kind in ('recover', 'confirm', 'address-changed', 'news', 'moderation')
    ),
    rank integer not null,
    email text,
    after_notification_id bigint not null default 0,
    notification_id bigint not null default 0,
    after_decision_id ${byteText} not null default '',
    decision_id ${byteText} not null default '',
    created_at_ms bigint not null,
    tries integer not null default 0,
    next_try_at_ms bigint,
    sent_at_ms bigint
  )`,
  'create index mails_by_account_id on mails (account_id, created_at_ms)',
  'create index mails_by_created_at_ms on mails (created_at_ms)',
  'create index mails_by_sent_at_ms on mails (sent_at_ms) where sent_at_ms is not null',
  'create index waiting_mails on mails (rank, next_try_at_ms) where next_try_at_ms is not null',
];

/**
 * Neither hidden nor deleted. With indexes on this condition, lists skip only rows by hidden accounts. When two indexes
 * suit equally, SQLite uses the one created last, so indexes on visible rows come after indexes on all rows.
 */
const visible = 'deleted_at_ms is null and hidden_by is null';

/** An idempotency key of an account creates at most one row. */
const keyIndex = (table: 'channels' | 'comments' | 'pending_posts') =>
  `create unique index ${table}_by_key on ${table} (account_id, key_hash)
    where key_hash is not null`;

const content = (isPostgres: boolean, byteText: string) => [
  `create table channels (
    id text primary key,
    account_id text not null references accounts (id),
    name text not null,
    description text not null,
    cover text not null,
    cover_alt text not null,
    comment_count integer not null,
    last_comment_number integer not null,
    created_at_ms bigint not null,
    hidden_by text,
    deleted_at_ms bigint,
    closed_at_ms bigint,
    edited_at_ms bigint,
    revision integer not null default 1,
    active_at_ms bigint not null default 0,
    pinned_at_ms bigint,
    key_hash text,
    request_hash text
  )`,
  keyIndex('channels'),
  // For the sweep, which checks whether a channel still shows an unused image.
  'create index channels_by_cover on channels (cover)',
  'create index channels_by_account on channels (account_id, id)',
  'create index deleted_channels on channels (deleted_at_ms) where deleted_at_ms is not null',
  `create index deleted_channels_by_account on channels (account_id, deleted_at_ms)
    where deleted_at_ms is not null`,
  `create index visible_channels_by_comment_count on channels (comment_count, id)
    where ${visible}`,
  `create index visible_channels_by_activity on channels (active_at_ms, id) where ${visible}`,
  'create index pinned_channels on channels (pinned_at_ms, id) where pinned_at_ms is not null',
  `create index visible_channels_by_id on channels (id) where ${visible}`,

  `create table comments (
    channel_id text not null references channels (id),
    number integer not null,
    account_id text not null references accounts (id),
    text text not null,
    created_at_ms bigint not null,
    revision integer not null default 1,
    edited_at_ms bigint,
    reply_to integer,
    reply_excerpt text,
    image_count integer not null default 0,
    deleted_at_ms bigint,
    hidden_by text,
    key_hash text,
    request_hash text,
    primary key (channel_id, number)
  )`,
  keyIndex('comments'),
  'create index comments_by_account on comments (account_id, created_at_ms, channel_id, number)',
  // The replies to a comment.
  `create index comments_by_reply_to on comments (channel_id, reply_to, number)
    where reply_to is not null`,
  // Its columns are those of the primary key: with another one SQLite would prefer that key.
  `create index visible_comments_by_number on comments (channel_id, number) where ${visible}`,
  // The comments of one person, newest first.
  `create index visible_comments_by_account
    on comments (account_id, created_at_ms, channel_id, number) where ${visible}`,
  `create index visible_comments_by_reply_to on comments (channel_id, reply_to, number)
    where ${visible} and reply_to is not null`,
  // The trash of one account page by page, newest first, even when several rows share a millisecond.
  `create index trash_by_account on comments (account_id, deleted_at_ms, channel_id, number)
    where deleted_at_ms is not null and hidden_by is null`,
  // Comments are erased 30 days after their deletion, hidden or not.
  `create index deleted_comments_by_time on comments (deleted_at_ms)
    where deleted_at_ms is not null`,

  `create table comment_images (
    channel_id text not null references channels (id),
    number integer not null,
    position integer not null,
    url text not null,
    alt text not null,
    primary key (channel_id, number, position)
  )`,
  'create index comment_images_by_url on comment_images (url)',

  `create table comment_thanks (
    channel_id text not null references channels (id),
    number integer not null,
    account_id text not null references accounts (id),
    created_at_ms bigint not null,
    primary key (channel_id, number, account_id)
  )`,
  // The shown names are read from the index alone, however many people gave thanks.
  `create index comment_thanks_by_time
    on comment_thanks (channel_id, number, created_at_ms, account_id)`,
  // The comments of a channel for which one person gave thanks.
  'create index comment_thanks_by_account on comment_thanks (account_id, channel_id, number)',

  `create table comment_versions (
    channel_id text not null references channels (id),
    number integer not null,
    revision integer not null,
    text text not null,
    replaced_at_ms bigint not null,
    primary key (channel_id, number, revision)
  )`,
  'create index comment_versions_by_replaced_at_ms on comment_versions (replaced_at_ms)',

  `create table comment_version_images (
    channel_id text not null references channels (id),
    number integer not null,
    revision integer not null,
    position integer not null,
    url text not null,
    alt text not null,
    primary key (channel_id, number, revision, position)
  )`,
  'create index comment_version_images_by_url on comment_version_images (url)',

  `create table channel_versions (
    channel_id text not null references channels (id),
    revision integer not null,
    name text not null,
    description text not null,
    cover text not null,
    cover_alt text not null,
    replaced_at_ms bigint not null,
    primary key (channel_id, revision)
  )`,
  'create index channel_versions_by_replaced_at_ms on channel_versions (replaced_at_ms)',
  'create index channel_versions_by_cover on channel_versions (cover)',

  `create table reading_positions (
    account_id text not null references accounts (id),
    channel_id text not null references channels (id),
    number integer not null,
    level ${byteText} not null default 'mine' check (level in ('all', 'mine', 'none')),
    primary key (account_id, channel_id)
  )`,
  'create index reading_positions_by_channel_id on reading_positions (channel_id)',

  // Neither AUTOINCREMENT nor an identity reuses a value.
  `create table notifications (
    id ${isPostgres ? 'bigint generated by default as identity primary key' : 'integer primary key autoincrement'},
    account_id text not null references accounts (id),
    channel_id text not null references channels (id),
    number integer not null,
    kind ${byteText} not null check (kind in ('reply', 'mention', 'thanks')),
    actor_id text not null references accounts (id),
    created_at_ms bigint not null,
    unique (channel_id, number, account_id, kind, actor_id)
  )`,
  'create index notifications_by_account_id on notifications (account_id, id)',
  'create index notifications_by_created_at_ms on notifications (created_at_ms)',
];

const images = [
  `create table images (
    full_path text primary key,
    path_key text not null unique,
    url text not null unique,
    image_id text not null unique,
    account_id text not null references accounts (id),
    use text not null,
    content_type text not null,
    size_bytes integer not null,
    stored_bytes integer not null,
    md5 text not null,
    content_hash text not null,
    width integer not null,
    height integer not null,
    largest_variant integer not null,
    created_at_ms bigint not null,
    updated_at_ms bigint not null,
    used_at_ms bigint not null,
    is_lost integer not null default 0
  )`,
  'create index images_by_account on images (account_id, image_id)',
  'create index images_by_last_use on images (used_at_ms)',

  `create table unconfirmed_objects (
    image_id text primary key,
    use text not null,
    largest_variant integer not null,
    created_at_ms bigint not null
  )`,
  'create index unconfirmed_objects_by_created_at_ms on unconfirmed_objects (created_at_ms)',

  `create table orphaned_objects (
    image_id text primary key,
    use text not null,
    largest_variant integer not null
  )`,

  `create table image_names (
    name_hash text primary key,
    content_hash text not null,
    epoch text not null
  )`,
  'create index image_names_by_epoch on image_names (epoch)',
];

// Account ids have the collation of `accounts`, because PostgreSQL could not use its index otherwise.
const moderation = (byteText: string) => [
  `create table decisions (
    id ${byteText} primary key,
    at_ms bigint not null,
    action ${byteText} not null,
    category ${byteText} not null,
    reason text not null,
    subject_kind ${byteText} not null,
    subject_id ${byteText} not null,
    decided_by text not null,
    until_ms bigint,
    undoes ${byteText} unique
  )`,
  `create index logged_decisions on decisions (id) where action not in ('dismiss', 'approve')`,

  // One decision for each case and account; an undo belongs to no case.
  `create table decision_accounts (
    decision_id ${byteText} not null references decisions (id),
    account_id text not null references accounts (id),
    case_id ${byteText},
    primary key (decision_id, account_id),
    unique (case_id, account_id)
  )`,
  `create index decision_accounts_by_account_id
    on decision_accounts (account_id, decision_id)`,

  `create table appeals (
    id ${byteText} primary key,
    decision_id ${byteText} not null references decisions (id),
    account_id text not null references accounts (id),
    text text not null,
    at_ms bigint not null,
    answer ${byteText},
    unique (decision_id, account_id)
  )`,
  'create index open_appeals on appeals (id) where answer is null',
  'create index appeals_by_account_id on appeals (account_id)',
  'create index appeals_by_answer on appeals (answer) where answer is not null',

  `create table cases (
    id ${byteText} primary key,
    subject_kind ${byteText} not null,
    subject_id ${byteText} not null,
    account_id text not null references accounts (id),
    text text not null,
    images text not null,
    revision bigint not null,
    rank integer not null default 1,
    report_count bigint not null,
    opened_at_ms bigint not null,
    decided_at_ms bigint,
    decision_id ${byteText}
  )`,
  `create index cases_by_decided_at_ms on cases (decided_at_ms, id)
    where decided_at_ms is not null`,
  'create index open_cases on cases (rank, id) where decided_at_ms is null',
  'create index cases_by_account_id on cases (account_id)',
  'create index cases_by_decision_id on cases (decision_id) where decision_id is not null',
  // Reports on the same content merge while its case is open.
  `create unique index open_cases_by_subject on cases (subject_kind, subject_id, account_id)
    where decided_at_ms is null`,

  `create table reports (
    id ${byteText} primary key,
    case_id ${byteText} not null references cases (id),
    receipt ${byteText} not null unique,
    account_id text references accounts (id),
    reporter_key ${byteText} not null,
    reason ${byteText} not null,
    text text not null,
    said text not null default '',
    name text not null,
    email text not null,
    created_at_ms bigint not null,
    unique (case_id, reporter_key)
  )`,
  'create index reports_by_account_id on reports (account_id) where account_id is not null',

  `create table pending_posts (
    id ${byteText} primary key,
    account_id text not null references accounts (id),
    kind ${byteText} not null,
    channel_id text,
    reply_to bigint,
    content text not null,
    reason ${byteText} not null,
    created_at_ms bigint not null,
    expires_at_ms bigint not null,
    rejected_by ${byteText},
    key_hash text,
    request_hash text
  )`,
  keyIndex('pending_posts'),
  'create index pending_posts_not_rejected on pending_posts (id) where rejected_by is null',
  'create index pending_posts_by_expires_at_ms on pending_posts (expires_at_ms)',
  'create index pending_posts_by_rejected_by on pending_posts (rejected_by) where rejected_by is not null',
  'create index pending_posts_by_account_id on pending_posts (account_id, id)',
  'create index pending_post_replies on pending_posts (channel_id, reply_to) where reply_to is not null',

  `create table pending_post_images (
    pending_post_id ${byteText} not null references pending_posts (id) on delete cascade,
    url text not null,
    primary key (pending_post_id, url)
  )`,
  'create index pending_post_images_by_url on pending_post_images (url)',
];

const site = [
  `create table site (
    id integer primary key check (id = 1),
    identity text not null,
    epoch text,
    founder_hash text,
    founder_ends_at_ms bigint
  )`,

  `create table report_secret (
    id integer primary key check (id = 1),
    secret text not null
  )`,

  `create table push_keys (
    id integer primary key check (id = 1),
    public_key text not null,
    private_key text not null
  )`,

  `create table site_settings (
    id integer primary key check (id = 1),
    revision bigint not null,
    saved_at_ms bigint not null,
    reviews_first_posts bigint not null,
    settings text not null
  )`,

  `create table audit_log (
    id text primary key,
    at_ms bigint not null,
    actor text not null,
    action text not null,
    subject text not null,
    note text not null
  )`,

  // In the shape that rate-limiter-flexible expects.
  `create table rate_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
  'create index rate_limits_by_expiry on rate_limits (expire)',
];

/**
 * First `doc` of comments written after the tables were created. Older comments, as after a restore, get lower
 * values (search/index/build-index.ts).
 */
const docsBegin = 1_000_000_000;

const searchState = `create table search_state (
  id integer primary key check (id = 1),
  version integer not null,
  remaining integer
)`;

/** Sequences never reuse a value. */
const postgresSearch = [
  `create table search_channels (
    id integer generated by default as identity primary key,
    channel_id text not null unique
  )`,

  `create table search_docs (
    doc integer generated by default as identity (start with ${docsBegin}) primary key,
    channel integer not null,
    number integer not null,
    tokens tsvector,
    unique (channel, number)
  )`,
  // Includes the block of each doc, so that a query can be limited to the newest ones. Each query reads the whole list
  // of pending entries, so its limit is the minimum, in KiB.
  `create index search_docs_tokens on search_docs using gin ((array[doc >> 14]), tokens)
    with (gin_pending_list_limit = 64)`,
  searchState,
];

/** AUTOINCREMENT never reuses a value. */
const sqliteSearch = [
  `create table search_channels (
    id integer primary key autoincrement,
    channel_id text not null unique
  )`,

  `create table search_docs (
    doc integer primary key autoincrement,
    channel integer not null,
    number integer not null,
    unique (channel, number)
  )`,
  `insert into sqlite_sequence (name, seq) values ('search_docs', ${docsBegin - 1})`,
  `create virtual table search_docs_fts using fts5(
    tokens, content='', contentless_delete=1, detail=none, prefix=3, tokenize="ascii tokenchars '_'"
  )`,
  `insert into search_docs_fts (search_docs_fts, rank) values ('automerge', 8)`,
  searchState,
];

/** Views of the rows that visitors may see (\`Views\` in tables.ts). */
const views = (isPostgres: boolean) => [
  `create view visible_channels as
    select id, account_id, name, description, cover, cover_alt, comment_count,
      last_comment_number, created_at_ms, closed_at_ms, edited_at_ms, revision,
      active_at_ms, pinned_at_ms
    from channels ${
      isPostgres
        ? `${shownAuthorOf('channels')} where ${visible}`
        : `where ${visible} and ${isAuthorShown('channels')}`
    }`,

  // For a join, SQLite reads the channel once; it would run a subquery for each comment. PostgreSQL caches the result
  // of a lateral subquery; for a join it would overestimate the rows and read all channels.
  `create view visible_comments as
    select comments.channel_id, comments.number, comments.account_id, comments.text,
      comments.created_at_ms, comments.revision, comments.edited_at_ms, comments.reply_to,
      comments.reply_excerpt, comments.image_count
    from comments ${
      isPostgres
        ? `cross join lateral (
            select id from visible_channels where id = comments.channel_id limit 1) as channel
          ${shownAuthorOf('comments')} where ${visible}`
        : `join visible_channels on visible_channels.id = comments.channel_id
          where ${visible} and ${isAuthorShown('comments')}`
    }`,
];

/** A lateral join, because PostgreSQL assumes that a scalar subquery is rarely null, and would read all channels for a page. */
const shownAuthorOf = (table: 'channels' | 'comments') => `cross join lateral (
  select accounts.id as author_id from accounts
  where accounts.id = ${table}.account_id and accounts.hidden_by is null limit 1) as author`;

/** A subquery for each row, because SQLite might begin a join with all accounts. */
const isAuthorShown = (table: 'channels' | 'comments') =>
  `(select author.hidden_by from accounts as author where author.id = ${table}.account_id) is null`;

/** Adds constraints, because SQLite stores fractions in integer columns. PostgreSQL and backups reject them. */
async function refuseFractions(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string }>`
    select m.name as "table", group_concat(c.name) as columns
    from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not glob '*_fts*' and m.name not glob 'sqlite_*'
      and lower(c.type) in ('integer', 'bigint')
    group by m.name
  `.execute(db);
  for (const { table, columns } of rows) {
    const areWhole = columns
      .split(',')
      .map((column) => sql`typeof(${sql.ref(column)}) in ('integer', 'null')`);
    await sql`
      alter table ${sql.table(table)}
      add constraint ${sql.ref(`${table}_whole_numbers`)} check (${sql.join(areWhole, sql` and `)})
    `.execute(db);
  }
}
