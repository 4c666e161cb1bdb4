import type { Database } from '../../database/tables.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { deletionMs } from '../../system/times.ts';
import { groupByAccount, hashAccount, type LedgerLine } from './erasure-ledger.ts';
import { findByHash, knowsRequest, readLeaving } from './leaving-accounts.ts';

/** Number of accounts that a ledger changed. */
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
 * Brings the accounts to what the ledger says and the database, which may be an older copy, does not know. Schedules
 * erased accounts for erasure, cancels requests that were cancelled since, and renews those that were made since, with
 * all of their days, because nobody knows what happened to a request after the ledger was copied.
 */
export async function applyLedger(
  db: Database,
  lines: LedgerLine[],
  nowMs: number,
): Promise<Applied> {
  const listed = groupByAccount(lines);
  const applied: Applied = { erased: 0, requested: 0, cancelled: 0 };
  if (listed.size === 0) return applied;
  const isSettled = new Set<string>();
  for (const { id, erased_at_ms, deletion_requested_at_ms } of await readLeaving(db)) {
    const accountHash = hashAccount(id);
    const { erased, open, cancelled } = listed.get(accountHash) ?? {};
    if (erased_at_ms !== null) isSettled.add(accountHash);
    else if (!erased && cancelled?.has(deletion_requested_at_ms ?? 0)) {
      await cancelRequest(db, id, deletion_requested_at_ms);
      if (open?.length === 0) applied.cancelled++;
    } else if (!erased) isSettled.add(accountHash);
  }
  const missing = [...listed].filter(
    ([accountHash, { erased, open }]) => !isSettled.has(accountHash) && (erased || open.length > 0),
  );
  const found = await findByHash(db, new Set(missing.map(([accountHash]) => accountHash)));
  await forEachDespiteErrors(found, async ({ account, accountHash }) => {
    const { erased, open: [request] = [] } = listed.get(accountHash) ?? {};
    if (erased) {
      await markErased(db, account.id, erased, nowMs);
      applied.erased++;
    } else if (request && !(await knowsRequest(db, account, request.requestedAtMs))) {
      await renewRequest(db, account.id, request, nowMs);
      applied.requested++;
    }
  });
  return applied;
}

async function cancelRequest(
  db: Database,
  id: string,
  requestedAtMs: number | null,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ deletion_at_ms: null, deletion_content: null, deletion_requested_at_ms: null })
    .where('id', '=', id)
    .where('deletion_requested_at_ms', '=', requestedAtMs)
    .where('erased_at_ms', 'is', null)
    .execute();
}

async function markErased(db: Database, id: string, content: string, nowMs: number) {
  await db
    .updateTable('accounts')
    .set({
      erased_at_ms: nowMs,
      disabled_at_ms: nowMs,
      deletion_at_ms: nowMs,
      deletion_content: content,
    })
    .where('id', '=', id)
    .execute();
}

async function renewRequest(
  db: Database,
  id: string,
  { content, requestedAtMs }: { content: string; requestedAtMs: number },
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({
      deletion_at_ms: nowMs + deletionMs,
      deletion_content: content,
      deletion_requested_at_ms: requestedAtMs,
    })
    .where('id', '=', id)
    .where('erased_at_ms', 'is', null)
    .where('deletion_requested_at_ms', 'is', null)
    .execute();
}

/** Says in English what a ledger changed; undefined when it changed nothing. */
export function describeApplied({ erased, requested, cancelled }: Applied): string | undefined {
  const parts = [
    [erased, 'account is erased again', 'accounts are erased again'],
    [requested, 'deletion is requested again', 'deletions are requested again'],
    [
      cancelled,
      'request for deletion is cancelled again',
      'requests for deletion are cancelled again',
    ],
  ] as const;
  const said = parts.flatMap(([count, one, several]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : several}`],
  );
  return said.length === 0 ? undefined : said.join(', ');
}
