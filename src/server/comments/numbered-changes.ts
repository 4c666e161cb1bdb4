import type { Database } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';

/** Number that means the channel itself in a change, instead of a comment. */
export const channelItself = 0;

/** Maximum number of comments whose changes one call records. */
export const maxChanges = 100;

/**
 * Numbers, records and announces changes of comments that readers may already show: of their text, quoted
 * excerpt, counts and visibility. Call it in the transaction that makes the changes. Live streams then send the
 * current comments, or that they are no longer visible.
 *
 * It locks the channel's row. Call it before the statement that changes the comments: a new comment
 * locks the rows in this order, and the opposite order could deadlock.
 * @param numbers of the comments within the channel; if there are more than `maxChanges`, readers fetch
 * the whole channel instead
 */
export async function recordChanges(
  trx: Database,
  announce: Announce,
  channelId: string,
  numbers: [number, ...number[]],
  nowMs: number,
): Promise<void> {
  const changeNumber = await recordUnannouncedChanges(trx, channelId, numbers, nowMs);
  await announce({ kind: 'numbered-change', channelId, changeNumber, number: numbers[0] });
}

/** Makes readers fetch channels of which so many comments change that they are not recorded one by one. */
export async function forceRefetch(
  trx: Database,
  announce: Announce,
  channelIds: string[],
): Promise<void> {
  if (channelIds.length === 0) return;
  const raised = await trx
    .updateTable('channels')
    .set((eb) => ({ last_change_number: eb('last_change_number', '+', 1) }))
    .where('id', 'in', channelIds)
    .returning(['id as channelId', 'last_change_number as changeNumber'])
    .execute();
  for (const { channelId, changeNumber } of raised)
    await announce({ kind: 'numbered-change', channelId, changeNumber, number: channelItself });
}

/** As `recordChanges`, for a caller that announces the changes itself. @returns the last change number */
export async function recordUnannouncedChanges(
  trx: Database,
  channelId: string,
  numbers: number[],
  nowMs: number,
): Promise<number> {
  const isRecorded = numbers.length <= maxChanges;
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

async function raiseChangeNumber(trx: Database, channelId: string, count: number): Promise<number> {
  const { last_change_number } = await trx
    .updateTable('channels')
    .set((eb) => ({ last_change_number: eb('last_change_number', '+', count) }))
    .where('id', '=', channelId)
    .returning('last_change_number')
    .executeTakeFirstOrThrow();
  return last_change_number;
}
