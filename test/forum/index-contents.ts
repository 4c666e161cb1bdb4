import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { Database } from '../../src/server/database/tables.ts';
import { channelsToken, commentTokens } from '../../src/server/search-index/index-comment.ts';
import { tokensOf } from '../../src/server/search-index/words.ts';
import { withCarried } from '../../src/server/texts/whole-text.ts';
import { commentId } from '../../src/shared/comment-id.ts';
import { isPostgres } from '../postgres/is-postgres.ts';
import type { Forum } from './forum.ts';

/** Tokens of all comments by id, newest first, and of all channels by id. */
export async function readIndex({ services: { db } }: Forum) {
  const docs = await readIndexedDocs(db);
  const places = await db
    .selectFrom('search_docs')
    .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
    .select(['doc', 'channel_id', 'number'])
    .orderBy('doc', 'desc')
    .execute();
  const ofText = (tokens: string[] | undefined) => tokens?.filter((token) => token[0] !== '_');
  return {
    comments: places
      .filter(({ number }) => number > 0)
      .map((row) => [commentId(row.channel_id, row.number), ofText(docs[row.doc])]),
    channels: places
      .filter(({ number }) => number === 0)
      .map((row) => [row.channel_id, ofText(docs[row.doc])])
      .sort(),
  };
}

/** Sorted tokens of each comment and channel in the search index, by doc. */
export async function readIndexedDocs(db: Database): Promise<Record<number, string[]>> {
  const { rows } = await (isPostgres(db)
    ? sql<{ id: number; term: string }>`
        select doc as id, unnest(tsvector_to_array(tokens)) as term from search_docs`.execute(db)
    : db.connection().execute(async (connection) => {
        await sql`drop table if exists temp.terms`.execute(connection);
        await sql`
          create virtual table temp.terms using fts5vocab('main', 'search_docs_fts', 'instance')
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

/** Asserts that the search index matches every stored comment and channel, and contains nothing else. */
export async function expectIndexed(db: Database): Promise<void> {
  const channels = await db
    .selectFrom('channels')
    .leftJoin('search_channels', 'search_channels.channel_id', 'channels.id')
    .select(['channels.id', 'search_channels.id as number', 'name', 'description'])
    .execute();
  const numbers = new Map(channels.map(({ id, number }) => [id, number ?? 0]));
  const docs = await db.selectFrom('search_docs').select(['doc', 'channel', 'number']).execute();
  const docOf = new Map(docs.map(({ doc, channel, number }) => [`${channel} ${number}`, doc]));
  const expected: Record<number, string[]> = {};
  for (const channel of channels) {
    const doc = docOf.get(`${channel.number} 0`);
    assert.ok(doc, `no place in the index: ${channel.id}`);
    const words = tokensOf(`${channel.name}\n${channel.description}`);
    expected[doc] = [...words, channelsToken].sort();
  }
  const comments = await db.selectFrom('comments').selectAll().execute();
  for (const comment of comments) {
    const { channel_id, number } = comment;
    const channel = numbers.get(channel_id) ?? 0;
    const doc = docOf.get(`${channel} ${number}`);
    assert.ok(doc, `no place in the index: ${commentId(channel_id, number)}`);
    const text = withCarried(comment.text, comment.carried_text);
    expected[doc] = commentTokens(channel_id, { text, authorId: comment.account_id }).sort();
  }
  assert.equal(docs.length, comments.length + channels.length);
  assert.deepEqual(await readIndexedDocs(db), expected);
}
