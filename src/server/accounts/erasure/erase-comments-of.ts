import { findReplies, recordChanges } from '../../comments/comment-changes.ts';
import { eraseContent, eraseExcerpts } from '../../comments/erase-comments.ts';
import {
  addToCommentCount,
  addToReplyCount,
  changeComments,
  lockChannel,
} from '../../comments/stored-comments.ts';
import type { Database } from '../../database/tables.ts';
import { isVisible } from '../../database/visible-rows.ts';
import type { LiveBus, Revision } from '../../live/bus/live-bus.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Comments that one transaction erases, so that other writes can run in between. */
const batchSize = 100;

/** Erases all comments of an account with their content and the excerpts in replies. */
export async function eraseCommentsOf(services: ErasureServices, accountId: string): Promise<void> {
  for (;;) {
    const keys = await services.db
      .selectFrom('comments')
      .select(['channel_id', 'number'])
      .where('account_id', '=', accountId)
      .limit(batchSize)
      .execute();
    if (keys.length === 0) return;
    for (const [channelId, ofChannel] of Map.groupBy(keys, (key) => key.channel_id)) {
      const numbers = ofChannel.map((one) => one.number);
      await eraseBatch(services, { channelId, accountId, numbers });
    }
  }
}

interface Batch {
  channelId: string;
  accountId: string;
  numbers: number[];
}

async function eraseBatch(services: ErasureServices, batch: Batch): Promise<void> {
  const { channelId, numbers } = batch;
  const eraseQuotations = () =>
    services.transact(`channel ${channelId}`, async (trx) => {
      await lockChannel(trx, channelId);
      return eraseExcerpts(trx, channelId, numbers);
    });
  while ((await eraseQuotations()) > 0);
  await changeComments(services, channelId, async (trx, nowMs) => {
    await lockChannel(trx, channelId);
    // A reply may have quoted a comment since the last transaction.
    while ((await eraseExcerpts(trx, channelId, numbers)) > 0);
    const change = await eraseRows(trx, services.live, batch, nowMs);
    return { value: undefined, change };
  });
}

/** @returns the change to publish after the commit; undefined when nothing visible was erased */
async function eraseRows(
  trx: Database,
  live: LiveBus,
  { channelId, accountId, numbers }: Batch,
  nowMs: number,
): Promise<Revision | undefined> {
  const erased = await trx
    .deleteFrom('comments')
    .where('channel_id', '=', channelId)
    .where('number', 'in', numbers)
    .where('account_id', '=', accountId)
    .returning(['number', 'reply_to', 'reply_count', 'deleted_at_ms', 'hidden_at_ms'])
    .execute();
  if (erased.length === 0) return undefined;
  await eraseContent(
    trx,
    channelId,
    erased.map(({ number }) => number),
  );
  const rows = erased.filter(isVisible);
  const [first, ...others] = rows.map(({ number }) => number);
  if (first === undefined) return undefined;
  await addToCommentCount(trx, channelId, -rows.length);
  const changed = new Set<number>(others);
  const answered = Map.groupBy(rows, (row) => row.reply_to);
  for (const [number, replies] of answered) {
    if (number === null) continue;
    if (await addToReplyCount(trx, { channelId, number }, -replies.length)) changed.add(number);
  }
  for (const { number, reply_count } of rows) {
    if (reply_count === 0) continue;
    const replies = await findReplies(trx, { channelId, number }, { quoting: false });
    for (const reply of replies) changed.add(reply);
  }
  return recordChanges(trx, live, channelId, [first, ...changed], nowMs);
}
