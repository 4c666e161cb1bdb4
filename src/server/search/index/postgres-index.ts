import { type RawBuilder, sql } from 'kysely';
import { blockDocs } from './comment-tokens.ts';

/** Joins tokens to one parameter, which PostgreSQL splits; null for a row that must not be found. */
export function joinTokens(tokens: string[] | undefined): string | null {
  return tokens?.join(' ') ?? null;
}

/** An expression for `search_channels.tokens`. @param joined returned by `joinTokens` */
export function channelTokens(joined: string | null): RawBuilder<unknown> {
  return sql`array_to_tsvector(string_to_array(${joined}, ' '))`;
}

/**
 * An expression for `search_docs.tokens` where `channel` and `doc` are columns.
 * @param joined an expression for what `joinTokens` returns
 */
export function docTokens(joined: RawBuilder<unknown>): RawBuilder<unknown> {
  // The same tokens as those of `partitionTokens`.
  return sql`array_to_tsvector(string_to_array(
    ltrim(${joined} || ' __c' || channel || ' __b' || doc / ${sql.lit(blockDocs)}), ' '))`;
}
