import { sql } from 'kysely';
import { isPostgres } from '../../src/server/database/is-postgres.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import type { Forum } from './forum.ts';

/** The tokens of each comment in the search index, sorted, by its doc. */
export function readIndexedDocs(db: Database): Promise<Record<number, string[]>> {
  return readTokens(db, 'search_docs', 'doc');
}

/** The tokens of each channel in the search index, sorted, by its number there. */
export function readIndexedChannels(db: Database): Promise<Record<number, string[]>> {
  return readTokens(db, 'search_channels', 'id');
}

/** Tokens of all comments by their ids, the newest first, and of all channels by their ids. */
export async function readIndex({ deps: { db } }: Forum) {
  const [docs, channels] = [await readIndexedDocs(db), await readIndexedChannels(db)];
  const places = await db
    .selectFrom('search_docs')
    .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
    .select(['doc', 'channel_id', 'number'])
    .orderBy('doc', 'desc')
    .execute();
  const ids = await db.selectFrom('search_channels').selectAll().orderBy('channel_id').execute();
  const ofText = (tokens: string[] | undefined) => tokens?.filter((token) => token[0] !== '_');
  return {
    comments: places.map((row) => [commentId(row.channel_id, row.number), ofText(docs[row.doc])]),
    channels: ids.map(({ id, channel_id }) => [channel_id, channels[id]]),
  };
}

async function readTokens(
  db: Database,
  table: 'search_docs' | 'search_channels',
  key: 'doc' | 'id',
): Promise<Record<number, string[]>> {
  const { rows } = await (isPostgres(db)
    ? sql<{ id: number; term: string }>`
        select ${sql.ref(key)} as id, unnest(tsvector_to_array(tokens)) as term
        from ${sql.table(table)}`.execute(db)
    : db.connection().execute(async (connection) => {
        await sql`drop table if exists temp.terms`.execute(connection);
        await sql`
          create virtual table temp.terms using fts5vocab('main', ${sql.lit(`${table}_fts`)}, 'instance')
        `.execute(connection);
        return sql<{ id: number; term: string }>`select doc as id, term from temp.terms`.execute(
          connection,
        );
      }));
  const tokens: Record<number, string[]> = {};
  for (const { id, term } of rows) {
    tokens[id] ??= [];
    tokens[id].push(term);
  }
  for (const terms of Object.values(tokens)) terms.sort();
  return tokens;
}
