import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../shared/accounts.ts';
import type { Channel, ChannelPage } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import { listFirstComments } from '../comments/first-comments.ts';
import { formatChannelCursor, parseChannelCursor } from '../database/cursors.ts';
import { type IdempotentRequest, withIdempotencyKey } from '../database/idempotency.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { Transact } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { requireImage } from '../images/image-queries.ts';
import type { Change, LiveBus } from '../live-bus/live-bus.ts';

export interface NewChannelServices {
  db: Database;
  transact: Transact;
  live: LiveBus;
  now: () => number;
}

export type NewChannelRow = Pick<
  Tables['channels'],
  'name' | 'description' | 'cover' | 'cover_alt'
>;

/**
 * Writes a channel and its announcement in one transaction, then publishes the live event. A request
 * repeated under its key writes nothing more.
 * @throws IdempotencyKeyReused; ImageNotFound when the cover does not exist
 */
export async function insertChannel(
  services: NewChannelServices,
  author: User,
  channel: NewChannelRow,
  request: IdempotentRequest | undefined,
): Promise<Channel> {
  // Unlike UUIDs of Node, these rise even within a millisecond, and lists are ordered by them.
  const id = uuidv7();
  const change: Change = { kind: 'channel', channelId: id };
  const { value, isNew } = await withIdempotencyKey(
    services,
    `account ${author.id}`,
    request,
    async (trx) => {
      const row = {
        ...channel,
        id,
        comment_count: 0,
        last_comment_number: 0,
        created_at_ms: services.now(),
      };
      await requireImage(trx, 'cover', channel.cover, row.created_at_ms);
      await trx
        .insertInto('channels')
        .values({ ...row, account_id: author.id })
        .execute();
      await services.live.announce(trx, change);
      const value = toChannel({
        ...row,
        autor_id: author.id,
        autor: author.name,
        autor_img: author.img,
      });
      return { id, value };
    },
    async (earlierId) => {
      const created = await findChannel(services.db, earlierId, 0);
      // As in the response to the first request, whatever was commented since.
      return created && { ...created, commentCount: 0, removedCount: 0 };
    },
  );
  if (isNew) services.live.publish(change);
  return value;
}

/**
 * One page of channels, most comments first, newest first among equals, each with its oldest
 * `embed` comments, or fewer: the page's JSON stays below `limits.listBytes`.
 * @throws InvalidCursor
 */
export async function listChannels(
  db: Database,
  { limit, embed, after }: { limit: number; embed: number; after?: string | undefined },
): Promise<ChannelPage> {
  let query = selectChannels(db)
    .orderBy('channels.comment_count', 'desc')
    .orderBy('channels.id', 'desc')
    // One more row than the page has, to know whether another page follows.
    .limit(limit + 1);
  if (after !== undefined) {
    const { commentCount, id } = parseChannelCursor(after);
    query = query.where((eb) =>
      eb(eb.refTuple('channels.comment_count', 'channels.id'), '<', eb.tuple(commentCount, id)),
    );
  }
  const rows = await query.execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: await withComments(db, page, embed),
    next:
      rows.length > limit && last
        ? formatChannelCursor({ commentCount: last.comment_count, id: last.id })
        : null,
  };
}

/** The channel with its oldest `embed` comments, or fewer: its JSON stays below `limits.listBytes`. */
async function findChannel(db: Database, id: string, embed: number): Promise<Channel | undefined> {
  const rows = await selectChannels(db).where('channels.id', '=', id).execute();
  const [channel] = await withComments(db, rows, embed);
  return channel;
}

/** As `findChannel`. @throws ApiError `channel_not_found` */
export async function requireChannel(db: Database, id: string, embed: number): Promise<Channel> {
  const channel = await findChannel(db, id, embed);
  if (!channel) throw new ApiError('channel_not_found');
  return channel;
}

async function withComments(db: Database, rows: ChannelRow[], embed: number): Promise<Channel[]> {
  const channels = rows.map(toChannel);
  const maxBytes = limits.listBytes - Buffer.byteLength(JSON.stringify(channels));
  const comments = await listFirstComments(db, rows, { embed, maxBytes });
  return channels.map((channel) => ({ ...channel, comments: comments.get(channel._id) ?? [] }));
}

/** Channels that no moderator has hidden. */
function selectChannels(db: Database) {
  return db
    .selectFrom('channels')
    .innerJoin('accounts', 'accounts.id', 'channels.account_id')
    .where('channels.hidden_at_ms', 'is', null)
    .select([
      'channels.id',
      'channels.name',
      'channels.description',
      'channels.cover',
      'channels.cover_alt',
      'channels.comment_count',
      'channels.last_comment_number',
      'channels.created_at_ms',
      'accounts.id as autor_id',
      'accounts.name as autor',
      'accounts.img as autor_img',
    ]);
}

type ChannelRow = Awaited<ReturnType<ReturnType<typeof selectChannels>['execute']>>[number];

function toChannel(row: ChannelRow): Channel {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    cover: row.cover,
    coverAlt: row.cover_alt,
    autor: row.autor,
    autorId: row.autor_id,
    autorImg: row.autor_img ?? '',
    comments: [],
    commentCount: row.comment_count,
    removedCount: row.last_comment_number - row.comment_count,
    createdAt: new Date(row.created_at_ms).toISOString(),
  };
}
