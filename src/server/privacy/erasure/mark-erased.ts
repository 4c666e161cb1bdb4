import type { DeletedContent } from '../../../shared/account-settings.ts';
import type { Database } from '../../database/tables.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { deletionMs } from '../../system/times.ts';
import { type Erasure, hashAccount } from './erasure-ledger.ts';

/** Accounts read per query. */
const batchSize = 500;

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
 * Schedules for erasure the accounts that the ledger lists and the database has not erased, as in an older copy of the
 * database.
 * @returns the number of accounts scheduled
 */
export async function markListed(db: Database, ledger: Erasure[], nowMs: number): Promise<number> {
  const erased = await db
    .selectFrom('accounts')
    .select('id')
    .where('erased_at_ms', 'is not', null)
    .execute();
  const known = new Set(erased.map(({ id }) => hashAccount(id)));
  const missing = ledger.filter(({ accountHash }) => !known.has(accountHash));
  if (missing.length === 0) return 0;
  const marked: { id: string; content: DeletedContent }[] = [];
  const contents = new Map(missing.map(({ accountHash, content }) => [accountHash, content]));
  let after = '';
  for (;;) {
    const accounts = await db
      .selectFrom('accounts')
      .select('id')
      .where('id', '>', after)
      .where('erased_at_ms', 'is', null)
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const last = accounts.at(-1);
    if (!last) break;
    after = last.id;
    for (const { id } of accounts) {
      const content = contents.get(hashAccount(id));
      if (content) marked.push({ id, content });
    }
  }
  await forEachDespiteErrors(marked, ({ id, content }) =>
    db
      .updateTable('accounts')
      .set({
        erased_at_ms: nowMs,
        disabled_at_ms: nowMs,
        deletion_at_ms: nowMs,
        deletion_content: content,
      })
      .where('id', '=', id)
      .execute(),
  );
  return marked.length;
}
