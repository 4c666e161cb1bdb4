import { sql } from 'kysely';
import { migrate } from '../../src/server/database/migrations/migrate.ts';
import type { Database } from '../../src/server/database/tables.ts';

/** What a comment has besides its number and what says whether it is visible. */
const content = {
  account_id: 'berta',
  text: 'uno\n😀',
  created_at_ms: 1_700_000_000_000,
  revision: 3,
  edited_at_ms: 1_700_000_000_001,
  reply_to: 1,
  reply_excerpt: 'uno',
  reply_count: 2,
  image_count: 5,
  thanks_count: 6,
};

/** Channels with the times when each was deleted and hidden: `former` as stored before, the others since. */
const channels = [
  { id: 'open', former: [null, null], deleted_at_ms: null, hidden_at_ms: null },
  { id: 'deleted', former: [6, 6], deleted_at_ms: 6, hidden_at_ms: null },
  { id: 'hidden', former: [null, 7], deleted_at_ms: null, hidden_at_ms: 7 },
  { id: 'hidden-after', former: [6, 8], deleted_at_ms: 6, hidden_at_ms: 8 },
] as const;

/** Comments with the table in which each was before, and the times when it was deleted and hidden. */
const comments = [
  { table: 'comments', number: 1, deleted_at_ms: null, hidden_at_ms: null },
  { table: 'deleted_comments', number: 2, deleted_at_ms: 2, hidden_at_ms: null },
  { table: 'hidden_comments', number: 3, deleted_at_ms: null, hidden_at_ms: 3 },
  { table: 'hidden_comments', number: 4, deleted_at_ms: 2, hidden_at_ms: 4 },
] as const;

/**
 * Makes a database as it was while comments had three tables, with a row of each kind: visible, deleted, hidden,
 * and hidden after it was deleted; comments of each kind in channels of each kind.
 */
export async function fillFormerComments(db: Database): Promise<void> {
  await migrate(db, { upTo: '015-whole-number-checks' });
  await sql`
    insert into accounts (id, name, email, email_key, password_hash, created_at_ms)
    values ('berta', 'Berta', 'berta@ejemplo.es', 'berta@ejemplo.es', '', 1)
  `.execute(db);
  const insert = (table: string, row: Record<string, string | number | null>) =>
    sql`
      insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))})
    `.execute(db);
  for (const { id, former } of channels) {
    const [deleted_at_ms, hidden_at_ms] = former;
    await insert('channels', {
      ...{ id, account_id: 'berta', name: id, description: '', cover: '', cover_alt: '' },
      ...{ comment_count: 1, last_comment_number: 4, created_at_ms: 1, active_at_ms: 1 },
      ...{ deleted_at_ms, hidden_at_ms },
    });
    for (const { table, number, ...times } of comments) {
      const row = { channel_id: id, number, mention_count: 0, ...content };
      const columns = Object.entries(times).filter(([, time]) => time !== null);
      await insert(table, { ...row, ...Object.fromEntries(columns) });
    }
  }
}

/** The rows that the present version makes of those of `fillFormerComments`, in order. */
export const expectedRows = {
  channels: channels
    .map(({ id, deleted_at_ms, hidden_at_ms }) => ({
      id,
      deleted_at_ms,
      hidden_at_ms,
      hidden_by: null,
    }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  comments: channels
    .map(({ id }) => id)
    .toSorted()
    .flatMap((channel_id) =>
      comments.map(({ table, ...times }) => ({
        channel_id,
        ...content,
        ...times,
        hidden_by: null,
      })),
    ),
};

/** The rows of a database that `expectedRows` describes. */
export async function readRemovals(db: Database): Promise<unknown> {
  const rows = {
    channels: await db
      .selectFrom('channels')
      .select(['id', 'deleted_at_ms', 'hidden_at_ms', 'hidden_by'])
      .execute(),
    comments: await db.selectFrom('comments').selectAll().execute(),
  };
  const keyOf = (row: { id: string } | { channel_id: string; number: number }) =>
    'id' in row ? row.id : `${row.channel_id} ${row.number}`;
  // SQLite's rows have no prototype, and PostgreSQL's order may be linguistic.
  const plain = <Row extends Parameters<typeof keyOf>[0]>(found: Row[]) =>
    found.map((row) => ({ ...row })).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return { channels: plain(rows.channels), comments: plain(rows.comments) };
}
