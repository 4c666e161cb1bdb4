import type { Database } from '../../database/tables.ts';
import { contentOf } from '../deletion/deletion-receipt.ts';
import {
  addToLedger,
  groupByAccount,
  hashAccount,
  type LedgerLine,
  ledgerIn,
  readLedger,
} from './erasure-ledger.ts';
import {
  findByHash,
  knowsRequest,
  type LeavingAccount,
  readLeaving,
  selectDeletions,
} from './leaving-accounts.ts';

/**
 * Records in this machine's ledger what was just requested or cancelled for an account. Call it after the transaction
 * and before the answer: what the person is told is then in the ledger, and a request that failed is not.
 */
export async function recordDeletion(
  { db, ledgerFolder }: { db: Database; ledgerFolder: string },
  accountId: string,
): Promise<void> {
  const account = await selectDeletions(db).where('id', '=', accountId).executeTakeFirst();
  if (!account) return;
  const accountHash = hashAccount(accountId);
  const listed = groupByAccount(await readLedger(ledgerIn(ledgerFolder))).get(accountHash);
  const ended = (listed?.open ?? [])
    .filter(({ requestedAtMs }) => requestedAtMs !== account.deletion_requested_at_ms)
    .map(({ requestedAtMs }) => ({ kind: 'cancelled' as const, accountHash, requestedAtMs }));
  await addToLedger(ledgerFolder, [...ended, ...linesOf(account)]);
}

/**
 * Adds to this machine's ledger what it lacks of the database: erased accounts, requests, and that a request was
 * cancelled or replaced.
 */
export async function completeLedger(folder: string, db: Database): Promise<void> {
  const listed = groupByAccount(await readLedger(ledgerIn(folder)));
  const leaving = await readLeaving(db);
  const standing = new Map(leaving.map((account) => [hashAccount(account.id), account]));
  const lines = leaving.flatMap(linesOf);
  const ended = [...listed].filter(([accountHash, { erased, open }]) => {
    const account = standing.get(accountHash);
    if (erased || (account && account.erased_at_ms !== null)) return false;
    return open.some((one) => one.requestedAtMs !== account?.deletion_requested_at_ms);
  });
  for (const { account, accountHash } of await findByHash(db, new Set(ended.map(([one]) => one))))
    for (const { requestedAtMs } of listed.get(accountHash)?.open ?? [])
      if (
        requestedAtMs !== account.deletion_requested_at_ms &&
        (await knowsRequest(db, account, requestedAtMs))
      )
        lines.push({ kind: 'cancelled', accountHash, requestedAtMs });
  await addToLedger(folder, lines);
}

function linesOf({ id, ...account }: LeavingAccount): LedgerLine[] {
  const accountHash = hashAccount(id);
  const content = contentOf(account.deletion_content);
  if (account.erased_at_ms !== null) return [{ kind: 'erased', accountHash, content }];
  const { deletion_requested_at_ms: requestedAtMs, deletion_at_ms: endsAtMs } = account;
  if (requestedAtMs === null || endsAtMs === null) return [];
  return [{ kind: 'requested', accountHash, content, requestedAtMs, endsAtMs }];
}
