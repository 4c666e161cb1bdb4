import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import Type from 'typebox';
import type { SentKey } from '../database/content-tables.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';

export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,200}$',
      maxLength: 200,
      description:
        'La elige el cliente, una para cada operación, que se hace una sola vez aunque se repita el envío.',
    }),
  ),
});

/** A request on a route that accepts a key. A client that received no response repeats it with the same key. */
type RepeatableRequest = Pick<
  FastifyRequest<{ Headers: { 'idempotency-key'?: string }; Body: object }>,
  'headers' | 'body' | 'routeOptions'
>;

/** The columns that store the request's key with the row that it inserts. */
export function sentKeyOf({ headers, body, routeOptions }: RepeatableRequest): SentKey {
  const key = headers['idempotency-key'];
  if (key === undefined) return { key_hash: null, request_hash: null };
  const request = `${key}\n${routeOptions.url}\n${JSON.stringify(body, withoutProfile)}`;
  // Shortened, because every comment stores both: 132 bits for the hash that is looked up, 96 for the compared one.
  return {
    key_hash: hash('sha256', key, 'base64url').slice(0, 22),
    request_hash: hash('sha256', request, 'base64url').slice(0, 16),
  };
}

/** Omits the author's name and image, which are not stored and may have changed since the first request. */
const withoutProfile = (name: string, value: unknown) =>
  name === 'autor' || name === 'autorImg' ? undefined : value;

/**
 * Finds the comment, channel or pending post that an earlier request with the same key created. Call it in the
 * transaction that would create it, after `requireWriter`, whose lock serializes requests with the same key.
 * @param find reads it by id; resolves to undefined when it is deleted or hidden
 * @returns undefined when the key is new, or its row was erased
 * @throws ApiError `idempotency_key_reused`, `gone`
 */
export async function findMade<T>(
  trx: Database,
  accountId: string,
  { key_hash, request_hash }: SentKey,
  find: (id: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (key_hash === null) return undefined;
  const made = (table: 'comments' | 'channels' | 'pending_posts') =>
    trx
      .selectFrom(table as 'pending_posts')
      .where('account_id', '=', accountId)
      .where('key_hash', '=', key_hash)
      .select('request_hash');
  const row = await made('comments')
    .select(sql<string>`channel_id || '-' || number`.as('id'))
    .unionAll(made('channels').select('id'))
    .unionAll(made('pending_posts').select('id'))
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.request_hash !== request_hash) throw new ApiError('idempotency_key_reused');
  const value = await find(row.id);
  if (value === undefined) throw new ApiError('gone');
  return value;
}
