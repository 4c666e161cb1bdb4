import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Drops the excerpts that replies stored. What is shown of a comment in its replies is now read from the comment, so that
 * nothing of it is left elsewhere. A pending reply names its comment in its content alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const statements = [
    // PostgreSQL would leave them in the rows of a dropped column.
    ...(isPostgres
      ? ['update comments set reply_excerpt = null where reply_excerpt is not null']
      : []),
    'drop view visible_comments',
    'alter table comments drop column reply_excerpt',
    visibleComments(isPostgres),

    `update pending_posts set content = ${
      isPostgres
        ? `(content::jsonb - 'reply' || jsonb_build_object('replyTo', reply_to))::text`
        : `json_set(json_remove(content, '$.reply'), '$.replyTo', reply_to)`
    } where kind = 'comment'`,
    'drop index pending_post_replies',
    // SQLite drops no column that a constraint names.
    ...(isPostgres
      ? []
      : ['alter table pending_posts drop constraint pending_posts_whole_numbers']),
    'alter table pending_posts drop column reply_to',
    ...(isPostgres
      ? []
      : [
          `alter table pending_posts add constraint pending_posts_whole_numbers
            check (typeof("created_at_ms") = 'integer' and typeof("expires_at_ms") = 'integer')`,
        ]),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** The view as before, without the column. */
const visibleComments = (isPostgres: boolean) => `create view visible_comments as
  select comments.channel_id, comments.number, comments.account_id, comments.text,
    comments.created_at_ms, comments.revision, comments.edited_at_ms, comments.reply_to,
    comments.image_count
  from comments ${
    isPostgres
      ? `cross join lateral (
          select id from visible_channels where id = comments.channel_id limit 1) as channel
        cross join lateral (
          select accounts.id as author_id from accounts
          where accounts.id = comments.account_id and accounts.hidden_by is null limit 1) as author
        where ${visible}`
      : `join visible_channels on visible_channels.id = comments.channel_id
        where ${visible} and (
          select author.hidden_by from accounts as author where author.id = comments.account_id) is null`
  }`;

const visible = 'comments.deleted_at_ms is null and comments.hidden_by is null';
