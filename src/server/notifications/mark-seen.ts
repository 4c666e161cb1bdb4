import { sql } from 'kysely';
import type { SeenNotifications } from '../../shared/notifications.ts';
import type { WithTransaction } from '../database/transactions.ts';

/**
 * Marks an account's notifications as seen up to an id, or up to that of a decision, but then no others: what is older
 * and was not shown stays new, and so do decisions after it. Lower ids than before change nothing.
 */
export async function markSeen(
  { withTransaction }: { withTransaction: WithTransaction },
  accountId: string,
  { id, decisionId = '' }: SeenNotifications,
): Promise<void> {
  // An id beyond the account's newest notification must not hide later ones.
  const seen = sql<number>`(select max(id) from notifications as seen
    where account_id = ${accountId} and (id <= ${id}
      or decision_id <= ${decisionId} and not exists (
        select 1 from notifications as other where other.account_id = ${accountId}
          and other.id < seen.id and other.kind <> 'decision'
          and other.id > accounts.notifications_seen_id and other.id > ${id})))`;
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set({ notifications_seen_id: seen })
      .where('id', '=', accountId)
      .where('notifications_seen_id', '<', seen)
      .execute(),
  );
}
