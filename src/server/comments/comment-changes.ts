import type { Database } from '../database/tables.ts';
import type { LiveBus, Revision } from '../live-bus/live-bus.ts';

/**
 * Records, in the transaction that makes it, a change of a comment that readers may already show:
 * its content, its counts of replies and thanks, its removal or its restoration. Live streams send the
 * comment as it then is, or that it is gone. Publish the returned change after the commit.
 *
 * It locks the channel's row. Call it before the statement that changes the comment: a new comment locks
 * the rows in this order, and two transactions with opposite orders would wait for each other.
 * @param live the bus, or what announces on its behalf
 * @param number of the comment within the channel
 */
export async function recordChange(
  trx: Database,
  live: Pick<LiveBus, 'announce'>,
  channelId: string,
  number: number,
  nowMs: number,
): Promise<Revision> {
  const { last_change_number: changeNumber } = await trx
    .updateTable('channels')
    .set((eb) => ({ last_change_number: eb('last_change_number', '+', 1) }))
    .where('id', '=', channelId)
    .returning('last_change_number')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('channel_changes')
    .values({ channel_id: channelId, change_number: changeNumber, number, at_ms: nowMs })
    .execute();
  const change: Revision = { kind: 'revision', channelId, changeNumber, number };
  await live.announce(trx, change);
  return change;
}
