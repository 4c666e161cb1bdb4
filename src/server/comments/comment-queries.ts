import { sql } from 'kysely';
import { commentId, commentNumber } from '../../shared/comment-id.ts';
import type { Comment, CommentPage } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import type { Database } from '../database/tables.ts';

/**
 * Up to `limit` comments numbered above `afterNumber`, oldest first; fewer, but one at least, where
 * they would take up more than `limits.listBytes` of JSON.
 */
export async function listComments(
  db: Database,
  channelId: string,
  { limit, afterNumber }: { limit: number; afterNumber: number },
): Promise<CommentPage> {
  const rows = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '>', afterNumber)
    .orderBy('number')
    // One more row than the page has, to know whether another page follows.
    .limit(limit + 1)
    .execute();
  const data = firstWithin(limits.listBytes, rows.slice(0, limit).map(toComment), jsonBytes);
  return { data, next: rows.length > data.length ? (data.at(-1)?.id ?? null) : null };
}

/**
 * All comments numbered above `afterNumber`, oldest first; undefined when they are more than `limit`
 * or their texts take up more than `bytes`. Reads lengths first, so that no text is loaded in vain.
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

/** The comment with this id. */
export async function findComment(db: Database, id: string): Promise<Comment | undefined> {
  const channelId = id.slice(0, id.lastIndexOf('-'));
  const row = await selectComments(db)
    .where('channel_id', '=', channelId)
    .where('number', '=', commentNumber(channelId, id) ?? 0)
    .executeTakeFirst();
  return row && toComment(row);
}

/** The first items, as many as take up at most `maxBytes` together, and one in any case. */
export function firstWithin<T>(maxBytes: number, items: T[], bytesOf: (item: T) => number): T[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return bytes > maxBytes && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Bytes of a comment in a JSON list, with the comma after it. */
export function jsonBytes(comment: Comment): number {
  return Buffer.byteLength(JSON.stringify(comment)) + 1;
}

export function selectComments(db: Database) {
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

export function toComment(row: CommentRow): Comment {
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

/** Number of the channel's newest comment, 0 before the first; undefined without such a channel. */
export async function findNewestNumber(
  db: Database,
  channelId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('channels')
    .select('last_comment_number')
    .where('id', '=', channelId)
    .where('hidden_at_ms', 'is', null)
    .executeTakeFirst();
  return row?.last_comment_number;
}
