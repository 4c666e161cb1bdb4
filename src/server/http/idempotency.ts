import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  IdempotencyKeyReused,
  IdempotentResultDeleted,
  isUniqueViolation,
} from '../database/errors.ts';
import type { Database } from '../database/tables.ts';
import type { Announce, Transact } from '../database/transactions.ts';

/** Headers schema of routes that accept an idempotency key. */
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

/** A request on such a route. Its client repeats it with its key when it received no response. */
export type RepeatableRequest = Pick<
  FastifyRequest<{ Headers: { 'idempotency-key'?: string }; Body: object }>,
  'headers' | 'body' | 'routeOptions'
>;

interface Created<T> {
  id: string;
  value: T;
}

/**
 * Runs work in a transaction that also stores the idempotency key, so that repeated and concurrent
 * requests with the same key run it once. Without a key, work always runs.
 * @param row as in `Transact`
 * @param find loads the result of the earlier request; undefined when it is no longer visible
 * @throws IdempotencyKeyReused, IdempotentResultDeleted
 */
export async function runOnce<T>(
  { db, transact, now }: { db: Database; transact: Transact; now: () => number },
  row: string,
  { accountId, request }: { accountId: string; request: RepeatableRequest },
  work: (trx: Database, announce: Announce) => Promise<Created<T>>,
  find: (id: string) => Promise<T | undefined>,
): Promise<T> {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return (await transact(row, work)).value;
  const keyRow = { account_id: accountId, key, request_hash: hashOf(request) };
  let earlierId: string | undefined;
  try {
    const created = await transact(row, async (trx, announce) => {
      earlierId = await findResult(trx, keyRow);
      if (earlierId !== undefined) return undefined;
      const created = await work(trx, announce);
      const values = { ...keyRow, result_id: created.id, created_at_ms: now() };
      await trx.insertInto('idempotency_keys').values(values).execute();
      return created;
    });
    if (created) return created.value;
  } catch (error) {
    // A concurrent request with the same key committed first; this transaction was rolled back.
    if (!isUniqueViolation(error)) throw error;
    earlierId = await findResult(db, keyRow);
  }
  const value = earlierId === undefined ? undefined : await find(earlierId);
  if (value === undefined) throw new IdempotentResultDeleted();
  return value;
}

/** Detects a key that is reused for a different request. */
function hashOf({ routeOptions, body }: RepeatableRequest): string {
  return hash('sha256', `${routeOptions.url}\n${JSON.stringify(body)}`, 'base64url');
}

async function findResult(
  db: Database,
  { account_id, key, request_hash }: { account_id: string; key: string; request_hash: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'result_id'])
    .where('account_id', '=', account_id)
    .where('key', '=', key)
    .executeTakeFirst();
  if (row && row.request_hash !== request_hash) throw new IdempotencyKeyReused();
  return row?.result_id;
}
