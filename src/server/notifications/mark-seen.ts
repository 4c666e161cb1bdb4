import type { SeenNotifications } from '../../shared/notifications.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { findSeen, mergeNotifications } from './notification-rows.ts';

/**
 * Marks an account's notifications as seen up to an id, or up to that of a decision that was shown apart from the
 * list: then not beyond the oldest other notification that is new, so that none is hidden that was not shown. Lower ids than
 * before change nothing.
 */
export async function markSeen(
  { db, withTransaction }: { db: Database; withTransaction: WithTransaction },
  accountId: string,
  { id, decisionId }: SeenNotifications,
): Promise<void> {
  const shown = decisionId ? await findSeenBy(db, accountId, { id, decisionId }) : id;
  // An id beyond the account's newest notification must not hide later ones.
  const newest = db
    .selectFrom('notifications')
    .select(({ fn }) => fn.max<number>('id').as('id'))
    .where('account_id', '=', accountId)
    .where('id', '<=', shown);
  const seen = (await newest.executeTakeFirst())?.id;
  if (!seen) return;
  await withTransaction(`account ${accountId}`, (trx) =>
    trx
      .updateTable('accounts')
      .set({ notifications_seen_id: seen })
      .where('id', '=', accountId)
      .where('notifications_seen_id', '<', seen)
      .execute(),
  );
}

/** The id up to which everything was seen, or was shown with the decisions up to this one. */
async function findSeenBy(
  db: Database,
  accountId: string,
  { id, decisionId }: { id: number; decisionId: string },
): Promise<number> {
  const decision = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .where('account_id', '=', accountId)
    .where('decision_id', '<=', decisionId)
    .executeTakeFirst();
  if (!decision?.id) return id;
  const after = Math.max(id, await findSeen(db, accountId));
  const range = { after, upTo: decision.id };
  const others = (await mergeNotifications(db, accountId, after, range))
    .filter(([{ kind, is_new }]) => kind !== 'decision' && is_new === 1)
    .flatMap((rows) => rows.map((row) => row.id));
  return Math.max(id, Math.min(decision.id, ...others.map((other) => other - 1)));
}
