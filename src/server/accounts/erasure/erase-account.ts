import { sql } from 'kysely';
import type { DeletedContent } from '../../../shared/account-settings.ts';
import { addToLedger, contentOf, hashAccount } from '../../backups/erasure-ledger.ts';
import { writeAudit } from '../../database/audit-log.ts';
import { engineOf } from '../../database/engine.ts';
import type { ErasureStep } from '../../database/table-register.ts';
import { forEachDespiteErrors } from '../../despite-errors.ts';
import { eraseHeld } from '../../held/held-rows.ts';
import { eraseModerationOf } from '../../moderation/report-retention.ts';
import { announceErasure } from './announce-erasure.ts';
import { eraseImages, eraseOwner } from './erase-account-rows.ts';
import { eraseChannelsOf } from './erase-channels-of.ts';
import { eraseCommentsOf } from './erase-comments-of.ts';
import { eraseThanksOf } from './erase-thanks-of.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Delay of a second erasure, for rows of requests that were running during the first. */
const secondErasureMs = 60_000;

/**
 * Erases the accounts whose deletion is due, in steps that other writes can run between. After an
 * interruption the next call continues. An erasure that fails does not stop the others.
 * @returns how many accounts were due
 */
export async function eraseDueAccounts(services: ErasureServices): Promise<number> {
  const accounts = await findDueAccounts(services);
  await forEachDespiteErrors(accounts, ({ id }) =>
    eraseAccount(services, id).catch((cause) => {
      throw new Error(`account ${id}: ${cause}`, { cause });
    }),
  );
  return accounts.length;
}

/** Accounts whose deletion is due, and those whose erasure has begun. */
export function findDueAccounts({ db, now }: Pick<ErasureServices, 'db' | 'now'>) {
  return db
    .selectFrom('accounts')
    .select('id')
    .where('deletion_at_ms', 'is not', null)
    .where((eb) => eb.or([eb('deletion_at_ms', '<=', now()), eb('erased_at_ms', 'is not', null)]))
    .orderBy('deletion_at_ms')
    .execute();
}

async function eraseAccount(services: ErasureServices, id: string): Promise<void> {
  const account = await beginErasure(services, id);
  if (!account) return;
  const { content, erasedAtMs } = account;
  const isAllErased = content === 'erase';
  const steps: Record<ErasureStep, () => Promise<void>> = {
    moderation: () => eraseModerationOf(services, id),
    held: async () => void (await eraseHeld(services, sql`account_id = ${id}`)),
    account: () => eraseOwner(services, id),
    channels: async () => {
      if (isAllErased) await eraseChannelsOf(services, id);
    },
    comments: async () => {
      if (isAllErased) await eraseCommentsOf(services, id);
    },
    thanks: () => eraseThanksOf(services, id),
    images: () => eraseImages(services, id),
  };
  await addToLedger(services.config, [{ accountHash: hashAccount(id), content }]);
  for (const step of Object.values(steps)) await step();
  await announceErasure(services, id);
  if (Math.abs(services.now() - erasedAtMs) >= secondErasureMs) await endErasure(services, id);
}

/** Disables the account, so that its deletion cannot be cancelled. @returns undefined when it was cancelled */
function beginErasure(
  { transact, now }: ErasureServices,
  id: string,
): Promise<{ content: DeletedContent; erasedAtMs: number } | undefined> {
  return transact(`account ${id}`, async (trx) => {
    const nowMs = now();
    const account = await trx
      .updateTable('accounts')
      .set((eb) => ({
        erased_at_ms: eb.fn.coalesce('erased_at_ms', sql<number>`cast(${nowMs} as bigint)`),
        disabled_at_ms: eb.fn.coalesce('disabled_at_ms', sql<number>`cast(${nowMs} as bigint)`),
        deletion_receipt: null,
      }))
      .where('id', '=', id)
      .where('deletion_at_ms', 'is not', null)
      .where((eb) => eb.or([eb('deletion_at_ms', '<=', nowMs), eb('erased_at_ms', 'is not', null)]))
      .returning(['deletion_content', 'erased_at_ms'])
      .executeTakeFirst();
    if (!account) return undefined;
    const { deletion_content, erased_at_ms } = account;
    // Only the first attempt requests it, not those that repeat a failed erasure.
    if (erased_at_ms === nowMs) await engineOf(trx).requestOverwriting(trx);
    return { content: contentOf(deletion_content), erasedAtMs: erased_at_ms ?? nowMs };
  });
}

async function endErasure({ transact, now }: ErasureServices, id: string): Promise<void> {
  await transact(`account ${id}`, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ deletion_at_ms: null })
      .where('id', '=', id)
      .where('deletion_at_ms', 'is not', null)
      .executeTakeFirst();
    // Another process has ended the erasure.
    if (numUpdatedRows === 0n) return;
    await engineOf(trx).requestOverwriting(trx);
    await writeAudit(trx, { actor: 'owner', action: 'erase-account', subject: id }, now());
  });
}
