import { IdempotencyKeyReused, IdempotentResultDeleted, isUniqueViolation } from './errors.ts';
import type { Database } from './tables.ts';
import type { Announce, Transact } from './transactions.ts';

/** A request with a key chosen by the client, which repeats both when it received no response. */
export interface IdempotentRequest {
  accountId: string;
  key: string;
  /** Hash of the whole request, to detect a key reused for a different request. */
  hash: string;
}

interface Created<T> {
  id: string;
  value: T;
}

/**
 * Runs work in a transaction that also stores the idempotency key, so that repeated and concurrent
 * requests with the same key run it once.
 * @param row as in `Transact`
 * @param request undefined when the client sent no key; then work always runs
 * @param find loads the result of the earlier request; undefined when it is no longer visible
 * @throws IdempotencyKeyReused, IdempotentResultDeleted
 */
export async function withIdempotencyKey<T>(
  { db, transact, now }: { db: Database; transact: Transact; now: () => number },
  row: string,
  request: IdempotentRequest | undefined,
  work: (trx: Database, announce: Announce) => Promise<Created<T>>,
  find: (id: string) => Promise<T | undefined>,
): Promise<T> {
  if (!request) return (await transact(row, work)).value;
  const keyRow = { account_id: request.accountId, key: request.key, request_hash: request.hash };
  let earlierId: string | undefined;
  try {
    const created = await transact(row, async (trx, announce) => {
      earlierId = await findResult(trx, request);
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
    earlierId = await findResult(db, request);
  }
  const value = earlierId === undefined ? undefined : await find(earlierId);
  if (value === undefined) throw new IdempotentResultDeleted();
  return value;
}

async function findResult(db: Database, request: IdempotentRequest): Promise<string | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'result_id'])
    .where('account_id', '=', request.accountId)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (row && row.request_hash !== request.hash) throw new IdempotencyKeyReused();
  return row?.result_id;
}
