import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Deletes what belongs to a comment, a version or a channel together with it, by foreign keys. Each table is made anew, because
 * SQLite cannot add a foreign key. Rows whose comment is gone are left out; the sweep deletes images that only they used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const { table, columns, keptIf, indexes } of tables(isPostgres)) {
    const statements = [
      `alter table ${table} rename to old_${table}`,
      `create table ${table} (${columns})`,
      `insert into ${table} select * from old_${table} as former where ${keptIf}`,
      `drop table old_${table}`,
      ...indexes.map((index) => `create index ${index}`),
      // Until then PostgreSQL would plan as for empty tables.
      ...(isPostgres ? [`analyze ${table}`] : []),
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  }
}

const ofComment = `foreign key (channel_id, number)
  references comments (channel_id, number) on delete cascade`;
const hasComment = `exists (select 1 from comments
  where comments.channel_id = former.channel_id and comments.number = former.number)`;

const ofVersion = `foreign key (channel_id, number, revision)
  references comment_versions (channel_id, number, revision) on delete cascade`;
const hasVersion = `exists (select 1 from comment_versions as version
  where version.channel_id = former.channel_id and version.number = former.number
    and version.revision = former.revision)`;

/** `comment_versions` comes before the table that refers to it. */
const tables = (isPostgres: boolean) => {
  const byteText = isPostgres ? 'text collate "C"' : 'text';
  // SQLite would store fractions in columns of whole numbers.
  const whole = (column: string, type: 'integer' | 'bigint' = 'integer') =>
    `${column} ${type} not null${isPostgres ? '' : ` check (typeof("${column}") = 'integer')`}`;
  return [
    {
      table: 'comment_images',
      columns: `
        channel_id text not null,
        ${whole('number')},
        ${whole('position')},
        url text not null,
        alt text not null,
        primary key (channel_id, number, position),
        ${ofComment}`,
      keptIf: hasComment,
      indexes: ['comment_images_by_url on comment_images (url)'],
    },
    {
      table: 'comment_thanks',
      columns: `
        channel_id text not null,
        ${whole('number')},
        account_id text not null references accounts (id),
        ${whole('created_at_ms', 'bigint')},
        primary key (channel_id, number, account_id),
        ${ofComment}`,
      keptIf: hasComment,
      indexes: [
        // The shown names are read from the index alone, however many people gave thanks.
        `comment_thanks_by_time
          on comment_thanks (channel_id, number, created_at_ms, account_id)`,
        // The comments of a channel for which one person gave thanks.
        'comment_thanks_by_account on comment_thanks (account_id, channel_id, number)',
      ],
    },
    {
      table: 'comment_versions',
      columns: `
        channel_id text not null,
        ${whole('number')},
        ${whole('revision')},
        text text not null,
        ${whole('replaced_at_ms', 'bigint')},
        primary key (channel_id, number, revision),
        ${ofComment}`,
      keptIf: hasComment,
      indexes: ['comment_versions_by_replaced_at_ms on comment_versions (replaced_at_ms)'],
    },
    {
      table: 'comment_version_images',
      columns: `
        channel_id text not null,
        ${whole('number')},
        ${whole('revision')},
        ${whole('position')},
        url text not null,
        alt text not null,
        primary key (channel_id, number, revision, position),
        ${ofVersion}`,
      keptIf: hasVersion,
      indexes: ['comment_version_images_by_url on comment_version_images (url)'],
    },
    {
      table: 'channel_versions',
      columns: `
        channel_id text not null references channels (id) on delete cascade,
        ${whole('revision')},
        name text not null,
        description text not null,
        cover text not null,
        cover_alt text not null,
        ${whole('replaced_at_ms', 'bigint')},
        primary key (channel_id, revision)`,
      keptIf: 'true',
      indexes: [
        'channel_versions_by_replaced_at_ms on channel_versions (replaced_at_ms)',
        'channel_versions_by_cover on channel_versions (cover)',
      ],
    },
    {
      table: 'reading_positions',
      columns: `
        account_id text not null references accounts (id),
        channel_id text not null references channels (id) on delete cascade,
        ${whole('number')},
        level ${byteText} check (level in ('all', 'mine', 'none')),
        primary key (account_id, channel_id)`,
      keptIf: 'true',
      indexes: ['reading_positions_by_channel_id on reading_positions (channel_id)'],
    },
  ];
};
