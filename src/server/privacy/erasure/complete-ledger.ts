import type { Database } from '../../database/tables.ts';
import { contentOf } from '../deletion/deletion-receipt.ts';
import { type Account, findListed, selectDeletions } from './apply-ledger.ts';
import {
  addToLedger,
  groupRequests,
  hashAccount,
  type LedgerLine,
  ledgerIn,
  type Requests,
  readLedger,
} from './erasure-ledger.ts';

/**
 * Records in this machine's ledger what was just requested or cancelled for an account. Call it after the transaction
 * and before the answer: what the person is told is then in the ledger, and a request that failed is not.
 */
export async function recordDeletion(
  { db, ledgerFolder }: { db: Database; ledgerFolder: string },
  accountId: string,
): Promise<void> {
  const listed = await readRequests(ledgerFolder);
  const account = await selectDeletions(db).where('id', '=', accountId).executeTakeFirst();
  if (account) await addToLedger(ledgerFolder, linesOf(account, listed, Number.POSITIVE_INFINITY));
}

/**
 * Adds to this machine's ledger what it lacks of the database: erased accounts, requests, and that an earlier request was
 * replaced, or cancelled, as other machines may have recorded in the audit log. A listed request of which the database knows
 * nothing stays open: the database may be an older copy. So do accounts that it does not have.
 */
export async function completeLedger(folder: string, db: Database): Promise<void> {
  const listed = await readRequests(folder);
  const erased = await selectDeletions(db).where('erased_at_ms', 'is not', null).execute();
  const requested = await selectDeletions(db)
    .where('deletion_at_ms', 'is not', null)
    .where('deletion_requested_at_ms', 'is not', null)
    .where('erased_at_ms', 'is', null)
    .execute();
  const leaving = [...erased, ...requested];
  const others = new Map([...listed].filter(([, { open }]) => open.length > 0));
  for (const { id } of leaving) others.delete(hashAccount(id));
  const stayed = (await findListed(db, others)).map(({ account }) => account);
  const cancelled = stayed.length > 0 ? await findCancellations(db) : new Map<string, number>();
  await addToLedger(
    folder,
    [...leaving, ...stayed].flatMap((account) =>
      linesOf(
        account,
        listed,
        account.deletion_requested_at_ms ?? cancelled.get(account.id) ?? Number.NEGATIVE_INFINITY,
      ),
    ),
  );
}

/** @returns when the request of each account was last cancelled */
async function findCancellations(db: Database): Promise<Map<string, number>> {
  const entries = await db
    .selectFrom('audit_log')
    .select(['subject', (eb) => eb.fn.max('at_ms').as('ms')])
    .where('action', '=', 'cancel-deletion')
    .groupBy('subject')
    .execute();
  return new Map(entries.map(({ subject, ms }) => [subject, ms]));
}

/** Call it before reading accounts: a request is committed before it is listed, so what ended a listed one is read, too. */
const readRequests = async (folder: string) => groupRequests(await readLedger(ledgerIn(folder)));

/** @param endedUntilMs other listed requests of the account, made until then, have ended */
function linesOf(
  { id, ...account }: Account,
  listed: Map<string, Requests>,
  endedUntilMs: number,
): LedgerLine[] {
  const accountHash = hashAccount(id);
  const content = contentOf(account.deletion_content);
  if (account.erased_at_ms !== null) return [{ kind: 'erased', accountHash, content }];
  const { deletion_requested_at_ms: requestedAtMs, deletion_at_ms: endsAtMs } = account;
  const ended = (listed.get(accountHash)?.open ?? [])
    .filter((one) => one.requestedAtMs !== requestedAtMs && one.requestedAtMs <= endedUntilMs)
    .map((one) => ({
      kind: 'cancelled' as const,
      accountHash,
      requestedAtMs: one.requestedAtMs,
    }));
  if (requestedAtMs === null || endsAtMs === null) return ended;
  return [...ended, { kind: 'requested', accountHash, content, requestedAtMs, endsAtMs }];
}
