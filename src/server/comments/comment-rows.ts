import { commentId } from '../../shared/comment-id.ts';
import type { Comment } from '../../shared/comments.ts';
import { type Names, readText } from '../database/stored-text.ts';
import { type Database, toInstant } from '../database/tables.ts';

/** Selects visible comments with their authors; callers add conditions and order. */
export function selectComments(db: Database) {
  return db
    .selectFrom('visible_comments')
    .innerJoin('accounts', 'accounts.id', 'visible_comments.account_id')
    .selectAll('visible_comments')
    .select(['accounts.name as autor', 'accounts.img as autor_img', 'accounts.role as autor_role']);
}

export type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>['execute']>>[number];

/**
 * The comment without the data from other tables that `completeComments` adds.
 * @param names of the accounts that it mentions
 */
export function toComment(row: CommentRow, names: Names): Comment {
  const { text, mentions } = readText(row.text, names);
  return {
    id: commentId(row.channel_id, row.number),
    channelId: row.channel_id,
    number: row.number,
    autor: row.autor,
    autorId: row.account_id,
    autorImg: row.autor_img ?? '',
    ...(row.autor_role === 'member' ? {} : { autorRole: row.autor_role }),
    comment: text,
    createdAt: toInstant(row.created_at_ms),
    revision: row.revision,
    editedAt: row.edited_at_ms === null ? null : toInstant(row.edited_at_ms),
    replyTo: row.reply_to,
    replyAutor: '',
    replyExcerpt: '',
    replyCount: row.reply_count,
    mentions,
    images: [],
    thanks: { count: row.thanks_count, names: [] },
  };
}

/** The first items that together have at most `maxBytes`, and always the first one. */
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
