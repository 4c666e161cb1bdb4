import type { Database } from '../../database/tables.ts';
import { hashAccount } from './erasure-ledger.ts';

/** Accounts read per query. */
const batchSize = 500;

export type LeavingAccount = Awaited<ReturnType<typeof readLeaving>>[number];

export const selectDeletions = (db: Database) =>
  db
    .selectFrom('accounts')
    .select(['id', 'erased_at_ms', 'deletion_at_ms'])
    .select(['deletion_content', 'deletion_requested_at_ms']);

/** The accounts that are erased, and those whose deletion was requested. */
export async function readLeaving(db: Database) {
  const erased = await selectDeletions(db).where('erased_at_ms', 'is not', null).execute();
  const requested = await selectDeletions(db)
    .where('deletion_at_ms', 'is not', null)
    .where('deletion_requested_at_ms', 'is not', null)
    .where('erased_at_ms', 'is', null)
    .execute();
  return [...erased, ...requested];
}

/** Finds the accounts that are not erased among those with these hashes. Reads all accounts. */
export async function findByHash(
  db: Database,
  hashes: ReadonlySet<string>,
): Promise<{ account: LeavingAccount; accountHash: string }[]> {
  const found: { account: LeavingAccount; accountHash: string }[] = [];
  for (let after: string | undefined = ''; after !== undefined && hashes.size > 0; ) {
    const accounts: LeavingAccount[] = await selectDeletions(db)
      .where('id', '>', after)
      .where('erased_at_ms', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    for (const account of accounts) {
      const accountHash = hashAccount(account.id);
      if (hashes.has(accountHash)) found.push({ account, accountHash });
    }
    after = accounts.at(-1)?.id;
  }
  return found;
}

/**
 * Whether the database has heard of a request that a ledger has: it has this request or a later one, or its audit log has
 * the entry that the request made, or a later one. A database that has not is older than the request, as after a restore.
 */
export async function knowsRequest(
  db: Database,
  { id, deletion_requested_at_ms }: LeavingAccount,
  requestedAtMs: number,
): Promise<boolean> {
  if ((deletion_requested_at_ms ?? 0) >= requestedAtMs) return true;
  const entry = await db
    .selectFrom('audit_log')
    .select('id')
    .where('subject', '=', id)
    .where('action', 'in', ['request-deletion', 'erase-account-now', 'cancel-deletion'])
    .where('at_ms', '>=', requestedAtMs)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
