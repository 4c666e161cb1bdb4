import { sql } from 'kysely';
import { limits } from '../../shared/limits.ts';
import type { Follow, Level, NotificationPage } from '../../shared/notifications.ts';
import { openAccount, requireOpenAccount } from '../accounts/standing/open-account.ts';
import { repeatOnViolation } from '../database/foreign-keys.ts';
import type { Database } from '../database/tables.ts';
import type { WithTransaction } from '../database/transactions.ts';
import { selectReads } from '../forum/reading/reading-positions.ts';
import { ApiError } from '../http/api-error.ts';

/**
 * Sets which comments of a channel count as news for an account. If it has not read the channel yet, only comments
 * after the newest one are new.
 * @throws ApiError `channel_not_found`, `not_signed_in`
 */
export async function setLevel(
  { withTransaction }: { withTransaction: WithTransaction },
  accountId: string,
  channelId: string,
  level: Level,
): Promise<void> {
  // The channel may be erased after it was found.
  await repeatOnViolation(() =>
    withTransaction(`reads ${accountId}`, async (trx) => {
      const channel = await trx
        .selectFrom('visible_channels')
        .select('last_comment_number as number')
        .where('id', '=', channelId)
        .executeTakeFirst();
      if (!channel) throw new ApiError('channel_not_found');
      const set = await trx
        .insertInto('reading_positions')
        .values({ account_id: accountId, channel_id: channelId, number: channel.number, level })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'channel_id']).doUpdateSet({ level }),
        )
        .returning(openAccount(accountId))
        .execute();
      requireOpenAccount(set[0]);
    }),
  );
}

/** The level of an account in channels for which it never chose one. @param community the community's */
export async function findFollow(
  db: Database,
  accountId: string,
  community: Follow,
): Promise<Follow> {
  const account = await db
    .selectFrom('accounts')
    .select('follow')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account?.follow ?? community;
}

/**
 * Channels that an account follows and has opened, most recently active first, with their numbers of unread comments.
 * @param follow the level where the account never chose one
 */
export async function listFollowed(
  db: Database,
  accountId: string,
  follow: Follow,
): Promise<NotificationPage['channels']> {
  const rows = await selectReads(db, accountId)
    .select('visible_channels.name')
    .where(sql<Level>`coalesce(read.level, ${follow})`, '=', 'all')
    .orderBy('visible_channels.active_at_ms', 'desc')
    .orderBy('read.channel_id')
    .limit(limits.listItems)
    .execute();
  return rows.map(({ channel_id, name, unread }) => ({
    _id: channel_id,
    name,
    unread: Number(unread),
  }));
}
