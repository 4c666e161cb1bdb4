import { type RawBuilder, sql } from 'kysely';
import { wholeText } from '../texts/whole-text.ts';
import type { Index, ReadComment } from './index-type.ts';

/** Stores words in a column of each row. */
export const postgresIndex: Index = {
  addComment: async (trx, { channelId, number }, tokens) => {
    await sql`
      insert into search_docs (channel, number, tokens)
      select id, ${number}, ${tsvector(sql`${tokens.join(' ')}`)}
      from search_channels where channel_id = ${channelId}
    `.execute(trx);
  },

  insertRows: async (trx, rows) => {
    if (rows.length === 0) return;
    const values = rows
      .map(({ doc, channel, number, tokens }) => [doc, channel, number, tokens?.join(' ') ?? null])
      .reverse();
    await sql`
      insert into search_docs (doc, channel, number, tokens)
      select (value->>0)::int, (value->>1)::int, (value->>2)::int, ${tsvector(sql`value->>3`)}
      from jsonb_array_elements(${JSON.stringify(values)}::jsonb)
    `.execute(trx);
  },

  writeWords: async (trx, rows) => {
    if (rows.length === 0) return;
    const words = rows.map(({ tokens }) => tokens?.join(' ') ?? null);
    const written = tsvector(sql`given.words`);
    await sql`
      update search_docs set tokens = ${written}
      from unnest(${rows.map(({ doc }) => doc)}::int[], ${words}::text[]) as given (doc, words)
      where search_docs.doc = given.doc and tokens is distinct from ${written}
    `.execute(trx);
  },

  eraseWords: async () => {},
  emptyWords: async () => {},
  // A GIN index keeps every word that it ever contained, and no statement erases one.
  mergeWords: async () => {},

  readComments: async (trx, comments) => {
    const given = JSON.stringify(comments.map(({ channel, number }) => [channel, number]));
    // Lateral subqueries run once for each comment. With plain joins PostgreSQL might read whole tables.
    const { rows } = await sql<ReadComment>`
      select given.at, s.channel_id as "channelId", c.account_id as "authorId", ${wholeText('c')} as text from
        (select (value->>0)::int as channel, (value->>1)::int as number, at::int - 1 as at
         from jsonb_array_elements(${given}::jsonb) with ordinality as listed (value, at)) given
        join lateral (
          select id, channel_id from search_channels where id = given.channel limit 1
        ) s on true
        join lateral (
          select channel_id, number, account_id, text, carried_text from comments
          where channel_id = s.channel_id and number = given.number
          limit 1 for share skip locked
        ) c on true
    `.execute(trx);
    return rows;
  },
};

function tsvector(words: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array_to_tsvector(string_to_array(${words}, ' '))`;
}
