import type { Database } from '../../database/tables.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { deletionMs } from '../../system/times.ts';
import { groupRequests, hashAccount, type LedgerLine } from './erasure-ledger.ts';

/** Accounts read per query. */
const batchSize = 500;

/**
 * A request made this long before the backup may be missing in it: it was being committed when the backup began, or the
 * clock of the machine that made the backup was ahead.
 */
const uncertainMs = 3_600_000;

/** Number of accounts that the ledgers changed in a restored database. */
export interface Applied {
  erased: number;
  requested: number;
  cancelled: number;
}

/**
 * Postpones erasures due soon: after the backup was made, their requests may have been cancelled, or the accounts let
 * in.
 */
export async function postponeDeletions(db: Database, nowMs: number): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ deletion_at_ms: nowMs + deletionMs })
    .where('deletion_at_ms', '<', nowMs + deletionMs)
    .where('erased_at_ms', 'is', null)
    .execute();
}

/**
 * Brings the accounts of a restored backup to what the ledgers say: schedules erased accounts for erasure, cancels
 * requests that were cancelled since, and renews those that were made since, with all of their days. Only for a restore:
 * in a database that is in use, the rows are right, and the ledger follows them (complete-ledger.ts).
 * @param madeAtMs when the backup began to be read: about requests of more than an hour before, its rows are right. A time in
 *   the future is from a wrong clock, and then they are right about none: who is asked for again can cancel that in time.
 */
export async function applyToRestored(
  db: Database,
  lines: LedgerLine[],
  madeAtMs: number,
  nowMs: number,
): Promise<Applied> {
  const rightUntilMs = madeAtMs > nowMs ? 0 : madeAtMs - uncertainMs;
  const applied = { erased: await markErased(db, lines, nowMs), requested: 0, cancelled: 0 };
  for (const { account, listed } of await findListed(db, groupRequests(lines))) {
    const { id, deletion_requested_at_ms: restoredMs } = account;
    const isCancelled = restoredMs !== null && listed.cancelled.has(restoredMs);
    const standingMs = isCancelled ? null : restoredMs;
    const [newest] = listed.open;
    const knownMs = Math.max(standingMs ?? 0, rightUntilMs);
    if (newest && newest.requestedAtMs > knownMs) {
      await setRequest(db, id, {
        deletion_at_ms: nowMs + deletionMs,
        deletion_content: newest.content,
        deletion_requested_at_ms: newest.requestedAtMs,
      });
      applied.requested++;
    } else if (isCancelled) {
      const none = { deletion_at_ms: null, deletion_content: null, deletion_requested_at_ms: null };
      await setRequest(db, id, none);
      applied.cancelled++;
    }
  }
  return applied;
}

async function setRequest(
  db: Database,
  id: string,
  request: Pick<Account, 'deletion_at_ms' | 'deletion_content' | 'deletion_requested_at_ms'>,
): Promise<void> {
  await db.updateTable('accounts').set(request).where('id', '=', id).execute();
}

/**
 * Schedules for erasure the accounts that the ledger lists as erased and the database has not erased, as in an older copy
 * of the database.
 * @returns the number of accounts scheduled
 */
export async function markErased(
  db: Database,
  lines: LedgerLine[],
  nowMs: number,
): Promise<number> {
  const erased = await selectDeletions(db).where('erased_at_ms', 'is not', null).execute();
  const known = new Set(erased.map(({ id }) => hashAccount(id)));
  const missing = lines
    .filter((line) => line.kind === 'erased')
    .filter(({ accountHash }) => !known.has(accountHash));
  const contents = new Map(missing.map(({ accountHash, content }) => [accountHash, content]));
  const found = await findListed(db, contents);
  await forEachDespiteErrors(found, ({ account, listed: content }) =>
    db
      .updateTable('accounts')
      .set({
        erased_at_ms: nowMs,
        disabled_at_ms: nowMs,
        deletion_at_ms: nowMs,
        deletion_content: content,
      })
      .where('id', '=', account.id)
      .execute(),
  );
  return found.length;
}

export type Account = Awaited<ReturnType<ReturnType<typeof selectDeletions>['execute']>>[number];

export const selectDeletions = (db: Database) =>
  db
    .selectFrom('accounts')
    .select(['id', 'erased_at_ms', 'deletion_at_ms'])
    .select(['deletion_content', 'deletion_requested_at_ms']);

/**
 * Finds the accounts that are not erased among those listed by their hashes. Reads all accounts, because a hash tells no
 * id.
 */
export async function findListed<T>(
  db: Database,
  byHash: ReadonlyMap<string, T>,
): Promise<{ account: Account; listed: T }[]> {
  const found: { account: Account; listed: T }[] = [];
  if (byHash.size === 0) return found;
  let after = '';
  for (;;) {
    const accounts = await selectDeletions(db)
      .where('id', '>', after)
      .where('erased_at_ms', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = accounts.at(-1);
    if (!last) return found;
    after = last.id;
    for (const account of accounts) {
      const listed = byHash.get(hashAccount(account.id));
      if (listed !== undefined) found.push({ account, listed });
    }
  }
}
