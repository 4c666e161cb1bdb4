import { sql } from 'kysely';
import { isMember } from '../../accounts/standing/members.ts';
import { engineOf } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { isCommentVisible, lockChannel } from '../../forum/comments/stored-comments.ts';
import { forEachDespiteErrors } from '../../system/despite-errors.ts';

interface Services {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

/** Polls closed by one pass. */
const atOnce = 200;

/**
 * Closes the polls whose time has come, each in one transaction with the notifications of its result, for the author and
 * those who voted. Of one that cannot be seen then nobody is told, nor later. After a secret one, versions of its counters
 * from between two votes are erased from the disk, unless somebody reads them at that moment.
 */
export async function closePolls({ db, withTransaction, now }: Services): Promise<void> {
  const due = await db
    .selectFrom('polls')
    .select(['channel_id', 'number', 'is_secret'])
    .where('closed_at_ms', 'is', null)
    .where('closes_at_ms', '<=', now())
    .orderBy('closes_at_ms')
    .limit(atOnce)
    .execute();
  await forEachDespiteErrors(due, async ({ channel_id: channelId, number }) => {
    await withTransaction(`channel ${channelId}`, async (trx, announce) => {
      await lockChannel(trx, channelId);
      const nowMs = now();
      // Waits for votes that came in time.
      const { numUpdatedRows } = await trx
        .updateTable('polls')
        .set({ closed_at_ms: nowMs })
        .where('channel_id', '=', channelId)
        .where('number', '=', number)
        .where('closed_at_ms', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await announce({ kind: 'channel', channelId, numbers: [number] });
      if (!(await isCommentVisible(trx, { channelId, number }))) return;
      const ofPoll = sql`channel_id = ${channelId} and number = ${number}`;
      // A subquery per voter, as PostgreSQL may read all accounts for each of them.
      await sql`
        insert into notifications (account_id, kind, channel_id, number, actor_id, created_at_ms)
        select account_id, 'poll', ${channelId}, cast(${number} as integer),
          (select account_id from comments where ${ofPoll}), cast(${nowMs} as bigint)
        from (
          select account_id from poll_votes where ${ofPoll}
          union select account_id from secret_voters where ${ofPoll}
          union select account_id from comments where ${ofPoll}
        ) as told
        where (select accounts.id from accounts
          where accounts.id = told.account_id and ${isMember(trx, nowMs)}) is not null
        on conflict do nothing`.execute(trx);
    });
  });
  if (due.some(({ is_secret }) => is_secret === 1))
    await engineOf(db).eraseFormerRows(db, ['secret_counts', 'secret_voters']);
}
