import { type SqlBool, sql } from 'kysely';
import { recordChanges } from '../comments/numbered-changes.ts';
import { lockChannel } from '../comments/stored-comments.ts';
import { isPostgres } from '../database/is-postgres.ts';
import type { Database } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';

/** Thanks that one step changes, so that other writes can run in between. */
const batchSize = 100;

/** Thanks of accounts that are counted although a wave hides the account, or the other way round. */
const selectDue = (db: Database, accountIds: string[]) =>
  db
    .selectFrom('comment_thanks')
    .innerJoin('accounts', 'accounts.id', 'comment_thanks.account_id')
    .where('comment_thanks.account_id', 'in', accountIds)
    .where(sql<SqlBool>`(is_hidden = 1) <> (accounts.hidden_by is not null)`);

/**
 * Counts some thanks of accounts, or stops counting them, as waves hide the accounts or not. Their names are read
 * together with the accounts, so they need no step.
 * @returns whether any were left
 */
export async function recountThanks(
  { db, transact, now }: { db: Database; transact: Transact; now: () => number },
  accountIds: string[],
): Promise<boolean> {
  const found = await selectDue(db, accountIds)
    .select('comment_thanks.channel_id')
    .limit(1)
    .executeTakeFirst();
  if (!found) return false;
  const { channel_id } = found;
  await transact(`channel ${channel_id}`, async (trx, announce) => {
    const accounts = trx
      .selectFrom('accounts')
      .select('id')
      .where('id', 'in', accountIds)
      .orderBy('id');
    // A decision that changes whether they are hidden waits for this transaction.
    if (isPostgres(trx)) await accounts.forShare().execute();
    await lockChannel(trx, channel_id);
    const due = await selectDue(trx, accountIds)
      .select(['number', 'account_id', 'is_hidden'])
      .where('channel_id', '=', channel_id)
      .limit(batchSize)
      .execute();
    const numbers = [...new Set(due.map(({ number }) => number))];
    const [first, ...others] = numbers;
    if (first === undefined) return;
    await recordChanges(trx, announce, channel_id, [first, ...others], now());
    for (const number of numbers) {
      const rows = due.filter((row) => row.number === number);
      const more = rows.reduce((sum, row) => sum + (Number(row.is_hidden) === 1 ? 1 : -1), 0);
      await trx
        .updateTable('comment_thanks')
        .set({ is_hidden: sql`1 - is_hidden` })
        .where('channel_id', '=', channel_id)
        .where('number', '=', number)
        .where(
          'account_id',
          'in',
          rows.map((row) => row.account_id),
        )
        .execute();
      await trx
        .updateTable('comments')
        .set((eb) => ({ thanks_count: eb('thanks_count', '+', more) }))
        .where('channel_id', '=', channel_id)
        .where('number', '=', number)
        .execute();
    }
    await announce({ kind: 'channel', channelId: channel_id });
  });
  return true;
}
