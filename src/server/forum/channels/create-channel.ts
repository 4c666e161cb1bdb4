import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../../shared/accounts.ts';
import type { Channel } from '../../../shared/channels.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { type Approvable, approve, refuseOtherSites } from '../../accounts/standing/approval.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { SentKey } from '../../database/content-tables.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce } from '../../database/transactions.ts';
import { countText } from '../../http/limits/daily-text.ts';
import { requireImages } from '../../images/image-queries.ts';
import { indexChannel } from '../../search-index/index-channel.ts';
import { findMade } from '../idempotency.ts';
import { findPendingPost } from '../pending/pending-rows.ts';
import { findPendingReason, storePendingPost } from '../pending/review-rules.ts';
import {
  type ChannelServices,
  findChannel,
  type NewChannelRow,
  toChannel,
} from './channel-queries.ts';

/**
 * Publishes a channel, or stores it for review. Repeating a request with its idempotency key writes nothing.
 * @throws ApiError `gone`, `idempotency_key_reused`, `not_signed_in`, `silenced`, `suspended`, `invalid_fields` when
 * the cover is not one that the author uploaded, `too_many_pending`
 */
export async function insertChannel(
  { withTransaction, now }: ChannelServices,
  author: User,
  channel: NewChannelRow,
  sent: SentKey,
): Promise<Channel | PendingPost> {
  return withTransaction(`account ${author.id}`, async (trx, announce) => {
    const nowMs = now();
    const writer = await requireWriter(trx, author.id, nowMs);
    const made = await findMade<Channel | PendingPost>(trx, author.id, sent, async (id) => {
      const created = await findChannel(trx, id, 0);
      if (!created) return findPendingPost(trx, author.id, nowMs, id);
      // Return the counts of the first response, even if comments were added since.
      return { ...created, commentCount: 0, removedCount: 0, lastCommentAt: null };
    });
    if (made) return made;
    await countText(trx, author.id, channel, nowMs);
    const post = { kind: 'channel', content: channel } as const;
    const reason = await findPendingReason(trx, writer, post, nowMs);
    const owner = { accountId: author.id, use: 'cover' } as const;
    await requireImages(trx, owner, [channel.cover], nowMs);
    const isPending = reason !== undefined;
    await refuseOtherSites(trx, author.id, { field: 'cover', url: channel.cover, isPending });
    if (reason) return storePendingPost(trx, author.id, post, reason, sent, nowMs);
    const account = { ...author, ...writer };
    return publishChannel(trx, announce, account, { ...channel, ...sent }, nowMs);
  });
}

/** Stores and announces a channel whose texts and cover were checked. */
export async function publishChannel(
  trx: Database,
  announce: Announce,
  author: Pick<User, 'id' | 'name' | 'img'> & Approvable,
  channel: NewChannelRow & SentKey,
  nowMs: number,
): Promise<Channel> {
  const row = {
    ...channel,
    // Lists are ordered by id: unlike Node's UUIDs, these ascend even within a millisecond.
    id: uuidv7(),
    account_id: author.id,
    comment_count: 0,
    last_comment_number: 0,
    created_at_ms: nowMs,
    active_at_ms: nowMs,
    revision: 1,
    edited_at_ms: null,
    closed_at_ms: null,
    pinned_at_ms: null,
  };
  await trx.insertInto('channels').values(row).execute();
  if (author.approved_at_ms === null) await approve(trx, announce, author.id, nowMs);
  await indexChannel(trx, row.id);
  await announce({ kind: 'channel', channelId: row.id });
  return toChannel({ ...row, autor: author.name, autor_img: author.img });
}
