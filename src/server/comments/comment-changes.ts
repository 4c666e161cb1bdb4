import type { Database } from '../database/tables.ts';
import { isVisibleRow } from '../database/visible-rows.ts';
import type { LiveBus, Revision } from '../live/bus/live-bus.ts';

/** Stands for the channel itself, where changes name a comment by its number. */
export const channelItself = 0;

/** As many as a live stream replays. */
const mostChanges = 100;

/**
 * Records, in the transaction that makes them, changes of comments that readers may already show:
 * their content, what they show of the comment that they answer, their counts of replies and thanks,
 * their removal or restoration. Live streams send the comments as they then are, or that they are
 * gone. Publish the returned change after the commit.
 *
 * It locks the channel's row. Call it before the statement that changes the comments: a new comment
 * locks the rows in this order, and two transactions with opposite orders would wait for each other.
 * @param live the bus, or what announces on its behalf
 * @param numbers of the comments within the channel; when there are more than `mostChanges`, readers
 * are told to fetch the channel instead
 */
export async function recordChanges(
  trx: Database,
  live: Pick<LiveBus, 'announce'>,
  channelId: string,
  numbers: [number, ...number[]],
  nowMs: number,
): Promise<Revision> {
  const changeNumber = await numberChanges(trx, channelId, numbers, nowMs);
  const change: Revision = { kind: 'revision', channelId, changeNumber, number: numbers[0] };
  await live.announce(trx, change);
  return change;
}

/** As `recordChanges`, for so many comments that readers are told to fetch the channel. */
export async function recordOverhaul(
  trx: Database,
  live: Pick<LiveBus, 'announce'>,
  channelId: string,
): Promise<Revision> {
  const changeNumber = await raiseChangeNumber(trx, channelId, 1);
  const change: Revision = { kind: 'revision', channelId, changeNumber, number: channelItself };
  await live.announce(trx, change);
  return change;
}

/** As `recordChanges`, for a caller that announces the changes itself. @returns the last number */
export async function numberChanges(
  trx: Database,
  channelId: string,
  numbers: number[],
  nowMs: number,
): Promise<number> {
  const isRecorded = numbers.length <= mostChanges;
  const count = isRecorded ? numbers.length : 1;
  const last = await raiseChangeNumber(trx, channelId, count);
  // A number without a record is replayed as `missed`.
  if (!isRecorded) return last;
  const rows = numbers.map((number, index) => ({
    channel_id: channelId,
    change_number: last - count + 1 + index,
    number,
    at_ms: nowMs,
  }));
  await trx.insertInto('channel_changes').values(rows).execute();
  return last;
}

/** @returns the last number */
async function raiseChangeNumber(trx: Database, channelId: string, count: number): Promise<number> {
  const { last_change_number } = await trx
    .updateTable('channels')
    .set((eb) => ({ last_change_number: eb('last_change_number', '+', count) }))
    .where('id', '=', channelId)
    .returning('last_change_number')
    .executeTakeFirstOrThrow();
  return last_change_number;
}

/**
 * Numbers of the visible comments that answer this one, at most one more than `mostChanges`.
 * @param quoting only those that quote it
 */
export async function findReplies(
  trx: Database,
  { channelId, number }: { channelId: string; number: number },
  { quoting }: { quoting: boolean },
): Promise<number[]> {
  const rows = await trx
    .selectFrom('comments')
    .select('number')
    .where('channel_id', '=', channelId)
    .where('reply_to', '=', number)
    .where(isVisibleRow)
    .$if(quoting, (query) => query.where('reply_excerpt', 'is not', null))
    .orderBy('number')
    .limit(mostChanges + 1)
    .execute();
  return rows.map((row) => row.number);
}
