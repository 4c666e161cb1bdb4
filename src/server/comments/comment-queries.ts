import { sql } from 'kysely';
import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import type { Database } from '../database/tables.ts';

/** The oldest `embed` comments of each channel, by channel id. */
export async function listFirstComments(
  db: Database,
  channels: { id: string; comment_count: number; last_comment_number: number }[],
  embed: number,
): Promise<Map<string, Comment[]>> {
  if (embed === 0) return new Map();
  const [whole, parted] = [
    channels.filter((one) => one.comment_count === one.last_comment_number),
    channels.filter((one) => one.comment_count < one.last_comment_number),
  ];
  const found = await listFirstNumbers(
    db,
    whole.map(({ id }) => id),
    embed,
  );
  // Where comments were taken away, numbers do not tell which are the first: few channels.
  for (const { id } of parted) {
    found.set(id, (await listComments(db, id, { limit: embed, afterNumber: 0 })).data);
  }
  return found;
}

/** The comments numbered 1 to `embed` of each channel. */
async function listFirstNumbers(
  db: Database,
  channelIds: string[],
  embed: number,
): Promise<Map<string, Comment[]>> {
  if (channelIds.length === 0) return new Map();
  // By way of the channels, and with the limit that follows from the numbers anyway: else PostgreSQL
  // takes a long channel's share of all comments for the answer's size, and reads the whole table.
  const rows = await selectComments(db)
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .where('channels.id', 'in', channelIds)
    .where('number', '<=', embed)
    .orderBy('channels.id')
    .orderBy('number')
    .limit(channelIds.length * embed)
    .execute();
  return Map.groupBy(rows.map(toComment), (comment) => comment.channelId);
}

/** Up to `limit` comments numbered above `afterNumber`, oldest first. */
export async function listComments(
  db: Database,
  channelId: string,
  { limit, afterNumber }: { limit: number; afterNumber: number },
): Promise<CommentPage> {
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    // One more than asked for tells whether a page follows.
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit).map(toComment);
  return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/**
 * All comments numbered above `afterNumber`, oldest first; undefined when they are more than `limit`
 * or their texts take up more than `bytes`, of which little is read then.
 */
export async function listMissed(
  db: Database,
  channelId: string,
  { afterNumber, limit, bytes }: { afterNumber: number; limit: number; bytes: number },
): Promise<Comment[] | undefined> {
  const sizes = await db
    .selectFrom('comments')
    .select(sql<number>`octet_length(text)`.as('bytes'))
    .where('channel_id', '=', channelId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    .limit(limit + 1)
    .execute();
  const size = sizes.reduce((sum, one) => sum + one.bytes, 0);
  if (sizes.length > limit || size > bytes) return undefined;
  const { data } = await listComments(db, channelId, { limit, afterNumber });
  return data;
}

/** The comment with this id, of whichever channel. */
export async function findComment(db: Database, id: string): Promise<Comment | undefined> {
  const channelId = id.slice(0, id.lastIndexOf('-'));
  const row = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '=', commentNumber(channelId, id) ?? 0)
    .executeTakeFirst();
  return row && toComment(row);
}

function selectComments(db: Database) {
  return db
    .selectFrom('comments')
    .innerJoin('accounts', 'accounts.id', 'comments.account_id')
    .select([
      'comments.channel_id',
      'comments.number',
      'comments.text',
      'comments.created_at_ms',
      'accounts.id as autor_id',
      'accounts.name as autor',
      'accounts.img as autor_img',
    ]);
}

type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number];

function toComment(row: CommentRow): Comment {
  return {
    id: commentId(row.channel_id, row.number),
    channelId: row.channel_id,
    autor: row.autor,
    autorId: row.autor_id,
    autorImg: row.autor_img ?? '',
    comment: row.text,
    createdAt: new Date(row.created_at_ms).toISOString(),
  };
}
