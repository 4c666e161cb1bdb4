import { sql } from 'kysely';
import { isMember } from '../../accounts/standing/members.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { isCommentVisible } from '../../forum/comments/stored-comments.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';

/** Time to take an announcement back, or to correct it, before anybody is told of it. */
const waitMs = 2 * 60_000;

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/**
 * Tells every other member of announcements that are two minutes old, each in one transaction with the mark that it was told.
 * One that cannot be seen then, or whose author is no moderator any more, is told to nobody, nor later.
 */
export async function tellOfAnnouncements(services: Services): Promise<void> {
  const { db, withTransaction, now } = services;
  const untold = await db
    .selectFrom('announcements')
    .innerJoin('comments', (join) =>
      join
        .onRef('comments.channel_id', '=', 'announcements.channel_id')
        .onRef('comments.number', '=', 'announcements.number'),
    )
    .select(['announcements.channel_id', 'announcements.number', 'ends_at_ms'])
    .select(['account_id', 'created_at_ms'])
    .where('told_at_ms', 'is', null)
    .execute();
  await forEachDespiteErrors(untold, async ({ channel_id: channelId, number, ...row }) => {
    const ageMs = now() - row.created_at_ms;
    if (ageMs >= 0 && ageMs < waitMs) return;
    await withTransaction(`channel ${channelId}`, async (trx) => {
      const nowMs = now();
      const author = await trx
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', row.account_id)
        .where('role', '<>', 'member')
        .where(isMember(trx, nowMs))
        .executeTakeFirst();
      const isVisible = await isCommentVisible(trx, { channelId, number });
      if (author && isVisible && nowMs < row.ends_at_ms)
        await sql`
          insert into notifications (account_id, kind, channel_id, number, actor_id, created_at_ms)
          select accounts.id, 'announcement', ${channelId}, cast(${number} as integer),
            ${row.account_id}, cast(${nowMs} as bigint)
          from accounts where ${isMember(trx, nowMs)}
            and accounts.id <> ${row.account_id} and accounts.created_at_ms <= ${nowMs}
          on conflict do nothing`.execute(trx);
      await trx
        .updateTable('announcements')
        .set({ told_at_ms: nowMs })
        .where('channel_id', '=', channelId)
        .where('number', '=', number)
        .execute();
    });
  });
}
