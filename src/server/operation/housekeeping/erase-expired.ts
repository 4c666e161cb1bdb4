import { sql } from 'kysely';
import { deleteExpiredDevices } from '../../accounts/sessions/sessions.ts';
import { deleteExpiredRows } from '../../database/delete-rows.ts';
import type { ExpiryStep } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { eraseDeletedChannels } from '../../forum/channels/erase-channels.ts';
import { eraseDeletedComments } from '../../forum/comments/erase-comments.ts';
import { eraseOldVersions } from '../../forum/comments/erase-versions.ts';
import { erasePendingPosts } from '../../forum/pending/pending-rows.ts';
import { deleteExpiredLimits } from '../../http/limits/budgets.ts';
import { eraseDecidedCases } from '../../moderation/reports/report-retention.ts';
import { eraseClaimedPeople } from '../../privacy/erasure/erase-imported.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';
import { trashMs } from '../../system/times.ts';

/**
 * Erases the rows that expire according to the register of tables: the trash, old versions, decided cases and others.
 * Works in steps, between which other writes can run.
 */
export async function eraseExpired(services: {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}): Promise<void> {
  const { db, now } = services;
  const trashEndMs = now() - trashMs;
  const steps: Record<ExpiryStep, () => Promise<void>> = {
    devices: () => deleteExpiredDevices(services),
    channels: () => eraseDeletedChannels(db, trashEndMs),
    comments: () => eraseDeletedComments(services, trashEndMs),
    'comment versions': () => eraseOldVersions(services, trashEndMs),
    'imported people': () => eraseClaimedPeople(services),
    cases: () => eraseDecidedCases(services, trashEndMs),
    'pending posts': async () =>
      void (await erasePendingPosts(services, sql`expires_at_ms <= ${now()}`)),
    'rate limits': () => deleteExpiredLimits(db, now()),
  };
  await forEachDespiteErrors(
    [...Object.values(steps), () => deleteExpiredRows(db, now())],
    (step) => step(),
  );
}
