import type { Held } from '../../../shared/held.ts';
import type { Database } from '../../database/tables.ts';
import type { Transact } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { deleteHeld, findHeld, lockHeld } from './pending-rows.ts';

/**
 * Takes back what waits of the caller, or was refused.
 * @returns what it was, for the form that it came from
 * @throws ApiError `held_not_found`
 */
export function withdrawHeld(
  { transact, now }: { transact: Transact; now: () => number },
  callerId: string,
  id: string,
): Promise<Held> {
  return transact(`account ${callerId}`, async (trx) => {
    const nowMs = now();
    const row = await lockHeld(trx, callerId, id);
    const held = row && (await findHeld(trx, callerId, nowMs, id));
    if (!held) throw new ApiError('held_not_found');
    await keepForForm(trx, await deleteHeld(trx, [id]), nowMs);
    return held;
  });
}

/** Keeps images for as long as those that were just uploaded. */
async function keepForForm(trx: Database, urls: string[], nowMs: number): Promise<void> {
  if (urls.length === 0) return;
  await trx
    .updateTable('images')
    .set({ used_at_ms: nowMs })
    .where('url', 'in', urls.sort())
    .execute();
}
