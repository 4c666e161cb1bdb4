import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The columns of each view, which are those of its table with the same names. */
export interface ViewColumns {
  visible_channels: string[];
  visible_comments: string[];
}

/**
 * Makes the views of what visitors may see (`Views` in tables.ts), instead of those that there are. A migration
 * that gives them other columns calls it with all of them. It works on the tables of every migration
 * from 016 on.
 */
export async function makeViews(db: Kysely<unknown>, columns: ViewColumns): Promise<void> {
  const list = (table: string, names: string[]) =>
    sql.join(names.map((name) => sql.ref(`${table}.${name}`)));
  for (const view of ['visible_comments', 'visible_channels']) {
    await db.schema.dropView(view).ifExists().execute();
  }
  await sql`
    create view visible_channels as
    select ${list('channels', columns.visible_channels)} from channels
    where channels.deleted_at_ms is null and channels.hidden_at_ms is null
  `.execute(db);
  // SQLite reads the channel once when it is given, and a subquery for each comment. PostgreSQL remembers what
  // a subquery found; it overestimates the rows of a few comments, and would read all channels for a join.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const channel = isPostgres
    ? sql`cross join lateral (
        select id from visible_channels where id = comments.channel_id limit 1) as channel`
    : sql`join visible_channels on visible_channels.id = comments.channel_id`;
  await sql`
    create view visible_comments as
    select ${list('comments', columns.visible_comments)} from comments ${channel}
    where comments.deleted_at_ms is null and comments.hidden_at_ms is null
  `.execute(db);
}
