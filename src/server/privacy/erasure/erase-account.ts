import { sql } from 'kysely';
import { audited } from '../../database/audit-log.ts';
import type { Database } from '../../database/tables.ts';
import { erasePendingPosts } from '../../forum/pending/pending-rows.ts';
import { eraseUnused } from '../../images/sweep-images.ts';
import { eraseModerationOf } from '../../moderation/reports/report-retention.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { contentOf } from '../deletion/deletion-receipt.ts';
import { eraseChannelsOf } from './erase-channels-of.ts';
import { eraseCommentsOf } from './erase-comments-of.ts';
import { eraseImported } from './erase-imported.ts';
import { announceErasure, eraseOwner } from './erase-owner.ts';
import { eraseRsvpsOf } from './erase-rsvps-of.ts';
import { eraseThanksOf } from './erase-thanks-of.ts';
import { addToLedger, hashAccount } from './erasure-ledger.ts';
import type { ErasureServices } from './erasure-services.ts';
import { hideDatesOf } from './hide-dates-of.ts';

/** How long an erasure is repeated after it began, to erase rows written by requests in progress at that time. */
const repeatMs = 60_000;

/**
 * Erases the accounts whose deletion is due. Every statement can safely be repeated: after an interruption, the next
 * call starts again with the first one. A failed erasure does not stop the others.
 * @returns the number of accounts due
 */
export async function eraseDueAccounts(services: ErasureServices): Promise<number> {
  const nowMs = services.now();
  return eraseAll(services, await findDueAccounts(services.db, nowMs), nowMs);
}

/** Goes on with the erasures that have begun, or that the ledger asks for. It begins none because of the time. */
export async function eraseBegunAccounts(services: ErasureServices): Promise<void> {
  const begun = await dueAccounts(services.db).where('erased_at_ms', 'is not', null).execute();
  await eraseAll(services, begun, services.now());
}

async function eraseAll(
  services: ErasureServices,
  accounts: { id: string }[],
  nowMs: number,
): Promise<number> {
  await forEachDespiteErrors(accounts, ({ id }) =>
    eraseAccount(services, id, nowMs).catch((cause) => {
      throw new Error(`account ${id}: ${cause}`, { cause });
    }),
  );
  return accounts.length;
}

/** Accounts whose deletion is due or whose erasure has begun. */
export function findDueAccounts(db: Database, nowMs: number) {
  return dueAccounts(db)
    .where((eb) => eb.or([eb('deletion_at_ms', '<=', nowMs), eb('erased_at_ms', 'is not', null)]))
    .execute();
}

const dueAccounts = (db: Database) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('deletion_at_ms', 'is not', null)
    .orderBy('deletion_at_ms');

async function eraseAccount(services: ErasureServices, id: string, nowMs: number): Promise<void> {
  const account = await beginErasure(services, id, nowMs);
  if (!account) return;
  const content = contentOf(account.deletion_content);
  await addToLedger(services.ledgerFolder, [
    { kind: 'erased', accountHash: hashAccount(id), content },
  ]);
  await eraseModerationOf(services, id);
  await erasePendingPosts(services, sql`account_id = ${id}`);
  await eraseThanksOf(services, id);
  await eraseRsvpsOf(services, id);
  await eraseOwner(services, id);
  await eraseImported(services, id, { content, nowMs });
  if (content === 'erase') {
    // The rest follows in a later run.
    if (await hideDatesOf(services, id, nowMs)) return;
    await eraseChannelsOf(services, id);
    await eraseCommentsOf(services, id);
  }
  await eraseUnused(services, nowMs, id);
  await announceErasure(services, id);
  const { erased_at_ms } = account;
  if (Math.abs(nowMs - (erased_at_ms ?? nowMs)) >= repeatMs) await endErasure(services, id);
}

/** Disables the account, so that its deletion cannot be cancelled. @returns undefined when it was cancelled */
function beginErasure({ withTransaction }: ErasureServices, id: string, nowMs: number) {
  return withTransaction(`account ${id}`, async (trx, announce) => {
    await announce({ kind: 'access', accountId: id });
    return trx
      .updateTable('accounts')
      .set((eb) => ({
        erased_at_ms: eb.fn.coalesce('erased_at_ms', sql<number>`cast(${nowMs} as bigint)`),
        disabled_at_ms: eb.fn.coalesce('disabled_at_ms', sql<number>`cast(${nowMs} as bigint)`),
      }))
      .where('id', '=', id)
      .where('deletion_at_ms', 'is not', null)
      .where((eb) => eb.or([eb('deletion_at_ms', '<=', nowMs), eb('erased_at_ms', 'is not', null)]))
      .returning(['deletion_content', 'erased_at_ms'])
      .executeTakeFirst();
  });
}

async function endErasure(services: ErasureServices, id: string): Promise<void> {
  await audited(services, 'owner', `account ${id}`, async (trx, changed) => {
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ deletion_at_ms: null })
      .where('id', '=', id)
      .where('deletion_at_ms', 'is not', null)
      .executeTakeFirst();
    // Otherwise another process has ended the erasure.
    if (numUpdatedRows > 0n) changed('erase-account', id);
  });
}
