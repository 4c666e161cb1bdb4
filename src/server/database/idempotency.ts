import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { isUniqueViolation } from './constraint-errors.ts';
import type { Database } from './tables.ts';

/** How long a request may be repeated without being carried out again. */
const rememberedMs = 30 * 86_400_000;

/** A request under a key that its sender chose, and repeats when no answer came. */
export interface IdempotentRequest {
  accountId: string;
  key: string;
  /** Of all that was asked, to tell a repetition from another request. */
  hash: string;
}

interface Made<T> {
  id: string;
  value: T;
}

/**
 * Runs work in a transaction that also takes note of its request, so that it runs once however often
 * the request comes, at the same time too, and whatever became of the answer.
 * @param row as in `Transact`
 * @param request undefined when the sender gave no key
 * @param find what work made before; the account may see it no more
 * @returns what it made, and whether it was made now
 * @throws ApiError `idempotency_key_reused`, `not_found`
 */
export async function withIdempotencyKey<T>(
  { db, transact, now }: Pick<Deps, 'db' | 'transact' | 'now'>,
  row: string,
  request: IdempotentRequest | undefined,
  work: (trx: Database) => Promise<Made<T>>,
  find: (id: string) => Promise<T | undefined>,
): Promise<{ value: T; isNew: boolean }> {
  if (!request) return { value: (await transact(row, work)).value, isNew: true };
  const noted = { account_id: request.accountId, key: request.key, request_hash: request.hash };
  let earlierId: string | undefined;
  try {
    const made = await transact(row, async (trx) => {
      earlierId = await findResult(trx, request);
      if (earlierId !== undefined) return undefined;
      const made = await work(trx);
      const note = { ...noted, result_id: made.id, created_at_ms: now() };
      await trx.insertInto('idempotency_keys').values(note).execute();
      return made;
    });
    if (made) return { value: made.value, isNew: true };
  } catch (error) {
    // The same request, at the same moment, was sooner: all that this one did is undone.
    if (!isUniqueViolation(error)) throw error;
    earlierId = await findResult(db, request);
  }
  const value = earlierId === undefined ? undefined : await find(earlierId);
  if (value === undefined) throw new ApiError('not_found');
  return { value, isNew: false };
}

async function findResult(db: Database, request: IdempotentRequest): Promise<string | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'result_id'])
    .where('account_id', '=', request.accountId)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (row && row.request_hash !== request.hash) throw new ApiError('idempotency_key_reused');
  return row?.result_id;
}

/** Forgets what nobody repeats any more. */
export async function deleteOldKeys(db: Database, nowMs: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at_ms', '<=', nowMs - rememberedMs)
    .execute();
}
