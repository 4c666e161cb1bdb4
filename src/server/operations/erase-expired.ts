import { eraseDeletedChannels } from '../channels/erase-channels.ts';
import { eraseDeletedComments } from '../comments/erase-comments.ts';
import { eraseOldVersions } from '../comments/erase-versions.ts';
import { binMs } from '../comments/remove-comment.ts';
import { deleteOldRows } from '../database/delete-old-rows.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { forEachAlone } from '../failed-work.ts';

/** As long as a live stream replays changes. */
const changesMs = 7 * 86_400_000;

/** Erases what left the bins, and old versions and changes, in steps that other writes can run between. */
export async function eraseExpired({
  db,
  transact,
  now,
}: {
  db: Database;
  transact: Transact;
  now: () => number;
}): Promise<void> {
  const binEndMs = now() - binMs;
  const steps = [
    () => eraseDeletedChannels(db, binEndMs),
    () => eraseDeletedComments({ db, transact }, binEndMs),
    () => eraseOldVersions({ db, transact }, binEndMs),
    () => deleteOldRows(db, 'channel_versions', 'replaced_at_ms', binEndMs),
    () => deleteOldRows(db, 'channel_changes', 'at_ms', now() - changesMs),
  ];
  await forEachAlone(steps, (step) => step());
}
