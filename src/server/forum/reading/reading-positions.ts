import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { Follow } from '../../../shared/notifications.ts';
import type { News, ReadingPosition } from '../../../shared/people.ts';
import { openAccount, requireOpenAccount } from '../../accounts/standing/open-account.ts';
import { repeatOnViolation } from '../../database/foreign-keys.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { dayMs } from '../../system/times.ts';
import { findNames } from '../../texts/mention-names.ts';
import { beginning } from '../../texts/text-beginnings.ts';
import { excerptChars, findBeginnings } from '../comments/comment-details.ts';
import type { CommentRowKey } from '../comments/comment-keys.ts';

/**
 * Unread comments are counted among this many newest numbers of a channel, so that hundreds of the caller's own
 * comments in a row do not slow the query.
 */
const countedNumbers = 200;

/**
 * Raises an account's reading positions. A lower number changes nothing, so devices can send in any order; a number
 * beyond the newest comment counts as the newest. Unknown and hidden channels are ignored.
 * @throws ApiError `not_signed_in`
 */
export async function raiseReadingPositions(
  { withTransaction }: { withTransaction: WithTransaction },
  accountId: string,
  positions: ReadingPosition[],
): Promise<void> {
  const highest = new Map<string, number>();
  for (const { channelId, number } of positions) {
    highest.set(channelId, Math.max(number, highest.get(channelId) ?? 0));
  }
  if (highest.size === 0) return;
  // A channel may be erased after it was found.
  await repeatOnViolation(() =>
    withTransaction(`reads ${accountId}`, (trx) => raise(trx, accountId, highest)),
  );
}

async function raise(
  trx: Database,
  accountId: string,
  highest: Map<string, number>,
): Promise<void> {
  const channels = await trx
    .selectFrom('visible_channels')
    .select(['id', 'last_comment_number'])
    .where('id', 'in', [...highest.keys()])
    // Each transaction locks rows in the same order, so that two cannot deadlock.
    .orderBy('id')
    .execute();
  if (channels.length === 0) return;
  const rows = channels.map(({ id, last_comment_number }) => ({
    account_id: accountId,
    channel_id: id,
    number: Math.min(highest.get(id) ?? 0, last_comment_number),
    level: null,
  }));
  const raised = await trx
    .insertInto('reading_positions')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'channel_id'])
        .doUpdateSet((eb) => ({ number: eb.ref('excluded.number') }))
        .whereRef('excluded.number', '>', 'reading_positions.number'),
    )
    .returning(openAccount(accountId))
    .execute();
  requireOpenAccount(raised[0]);
}

/**
 * Finds an account's reading positions and levels in these channels, with counts of later comments by others: at most
 * `limits.unreadCount` plus one. Where there are some, also the beginning of the last comment. Channels that are
 * unknown, hidden or never visited are left out.
 * @param follow the level where the account never chose one
 */
export async function findReads(
  db: Database,
  accountId: string,
  channelIds: string[],
  follow: Follow,
): Promise<News['reads']> {
  if (channelIds.length === 0) return {};
  const rows = await selectReads(db, accountId)
    .where('read.channel_id', 'in', channelIds)
    .execute();
  const lasts = await findLasts(
    db,
    rows.flatMap(({ channel_id, unread, last }) =>
      Number(unread) > 0 && last !== null ? [{ channel_id, number: last }] : [],
    ),
  );
  const reads = new Map(
    rows.map(({ channel_id, number, unread, level }) => {
      const last = lasts.get(channel_id);
      const read = { number, unread: Number(unread), level: level ?? follow };
      return [channel_id, { ...read, ...(last && { last }) }];
    }),
  );
  // In the order of the request, since that of the rows depends on the engine's plan.
  return Object.fromEntries(
    channelIds.flatMap((id) => {
      const read = reads.get(id);
      return read ? [[id, read]] : [];
    }),
  );
}

/** Authors and beginnings of these comments, one in each channel, by channel. */
async function findLasts(
  db: Database,
  keys: CommentRowKey[],
): Promise<Map<string, News['reads'][string]['last']>> {
  const found = await findBeginnings(db, keys);
  const names = await findNames(
    db,
    [...found.values()].map(({ text }) => text),
  );
  return new Map(
    keys.flatMap(({ channel_id, number }) => {
      const last = found.get(commentId(channel_id, number));
      if (!last) return [];
      const excerpt = beginning(last.text, names, excerptChars);
      return [[channel_id, { autor: last.autor, excerpt }] as const];
    }),
  );
}

/**
 * Finds the channels among these that the account never opened, that others created, and that are younger than 30 days.
 * @returns their ids, in the order of `channelIds`
 */
export async function findNewChannels(
  db: Database,
  accountId: string,
  channelIds: string[],
  nowMs: number,
): Promise<string[]> {
  if (channelIds.length === 0) return [];
  const rows = await db
    .selectFrom('visible_channels')
    .select('id')
    .where('id', 'in', channelIds)
    .where('created_at_ms', '>', nowMs - limits.newChannelDays * dayMs)
    .where('account_id', '<>', accountId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reading_positions as read')
            .select('read.number')
            .where('read.account_id', '=', accountId)
            .whereRef('read.channel_id', '=', 'visible_channels.id'),
        ),
      ),
    )
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  return channelIds.filter((id) => found.has(id));
}

/**
 * An account's reading positions in visible channels, with counts of later comments by others, and the number of the
 * last comment if it is counted among these numbers; callers add conditions.
 */
export function selectReads(db: Database, accountId: string) {
  return db
    .selectFrom('reading_positions as read')
    .innerJoin('visible_channels', 'visible_channels.id', 'read.channel_id')
    .select((eb) => {
      const newest = eb('visible_channels.last_comment_number', '-', countedNumbers);
      const after = eb
        .case()
        .when('read.number', '>', newest)
        .then(eb.ref('read.number'))
        .else(newest)
        .end();
      return [
        'read.channel_id',
        'read.number',
        'read.level',
        eb
          .selectFrom(
            eb
              .selectFrom('visible_comments')
              .select('visible_comments.number')
              .whereRef('visible_comments.channel_id', '=', 'read.channel_id')
              // Use a single lower bound: with two, SQLite seeks the first and scans all rows up to the second.
              .where('visible_comments.number', '>', after)
              .where('visible_comments.account_id', '!=', accountId)
              .limit(limits.unreadCount + 1)
              .as('unread'),
          )
          .select(eb.fn.countAll<number>().as('count'))
          .as('unread'),
        eb
          .selectFrom('visible_comments')
          .select('visible_comments.number')
          .whereRef('visible_comments.channel_id', '=', 'read.channel_id')
          .where('visible_comments.number', '>', after)
          .orderBy('visible_comments.number', 'desc')
          .limit(1)
          .as('last'),
      ];
    })
    .where('read.account_id', '=', accountId);
}
