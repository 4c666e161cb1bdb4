import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { isPostgres } from '../../src/server/database/is-postgres.ts';
import type { Database } from '../../src/server/database/tables.ts';
import { isVisible } from '../../src/server/database/visible-rows.ts';
import { commentTokens } from '../../src/server/search/index/comment-tokens.ts';
import { tokensOf } from '../../src/server/search/index/words.ts';
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

/** Expects that the search index has every stored comment and channel as it is now, and nothing else. */
export async function expectIndexed(db: Database): Promise<void> {
  const channels = await db
    .selectFrom('channels')
    .leftJoin('search_channels', 'search_channels.channel_id', 'channels.id')
    .select(['channels.id', 'search_channels.id as number', 'name', 'description'])
    .select(['deleted_at_ms', 'hidden_at_ms'])
    .execute();
  const numbers = new Map(channels.map(({ id, number }) => [id, number ?? 0]));
  const ofChannels = channels
    .filter(isVisible)
    .map(({ number, name, description }) => [number, tokensOf(`${name}\n${description}`).sort()]);
  assert.deepEqual(await readIndexedChannels(db), Object.fromEntries(ofChannels));

  const docs = await db.selectFrom('search_docs').select(['doc', 'channel', 'number']).execute();
  const docOf = new Map(docs.map(({ doc, channel, number }) => [`${channel} ${number}`, doc]));
  const expected: Record<number, string[]> = {};
  const comments = await db.selectFrom('comments').selectAll().execute();
  for (const comment of comments) {
    const { channel_id, number, text } = comment;
    const channel = numbers.get(channel_id) ?? 0;
    const doc = docOf.get(`${channel} ${number}`);
    assert.ok(doc, `no place in the index: ${commentId(channel_id, number)}`);
    if (isVisible(comment)) {
      expected[doc] = commentTokens(channel_id, { text, authorId: comment.account_id }).sort();
    }
  }
  assert.equal(docs.length, comments.length);
  assert.deepEqual(await readIndexedDocs(db), expected);
}
