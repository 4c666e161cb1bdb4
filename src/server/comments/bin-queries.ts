import type { Bin, DeletedChannel, DeletedComment } from '../../shared/bin.ts';
import { limits } from '../../shared/limits.ts';
import { type Database, toInstant } from '../database/tables.ts';
import { completeComments } from './comment-details.ts';
import { firstWithin, jsonBytes } from './comment-rows.ts';
import { binMs } from './remove-comment.ts';
import { commentColumns } from './stored-comments.ts';

/** What the account deleted and can restore, the latest first. */
export async function readBin(db: Database, accountId: string, nowMs: number): Promise<Bin> {
  const sinceMs = nowMs - binMs;
  return {
    data: await listDeletedComments(db, accountId, sinceMs),
    channels: await listDeletedChannels(db, accountId, sinceMs),
  };
}

async function listDeletedComments(
  db: Database,
  accountId: string,
  sinceMs: number,
): Promise<DeletedComment[]> {
  const rows = await db
    .selectFrom('deleted_comments as comments')
    .innerJoin('accounts', 'accounts.id', 'comments.account_id')
    .innerJoin('channels', 'channels.id', 'comments.channel_id')
    .select(commentColumns.map((column) => `comments.${column}` as const))
    .select([
      'comments.deleted_at_ms',
      'accounts.id as autor_id',
      'accounts.name as autor',
      'accounts.img as autor_img',
      'channels.name as channel_name',
    ])
    .where('comments.account_id', '=', accountId)
    .where('comments.deleted_at_ms', '>', sinceMs)
    .where('channels.hidden_at_ms', 'is', null)
    .orderBy('comments.deleted_at_ms', 'desc')
    .limit(limits.listItems)
    .execute();
  const comments = await completeComments(db, rows);
  const deleted = rows.flatMap((row, index) => {
    const comment = comments[index];
    return comment ? [{ comment, channelName: row.channel_name, ...times(row) }] : [];
  });
  return firstWithin(limits.listBytes, deleted, ({ comment }) => jsonBytes(comment));
}

/** Without those that a moderator has hidden since. */
async function listDeletedChannels(
  db: Database,
  accountId: string,
  sinceMs: number,
): Promise<DeletedChannel[]> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'name', 'comment_count', 'deleted_at_ms'])
    .where('account_id', '=', accountId)
    .where('deleted_at_ms', '>', sinceMs)
    .whereRef('hidden_at_ms', '=', 'deleted_at_ms')
    .orderBy('deleted_at_ms', 'desc')
    .limit(limits.listItems)
    .$narrowType<{ deleted_at_ms: number }>()
    .execute();
  return rows.map((row) => ({
    channelId: row.id,
    name: row.name,
    commentCount: row.comment_count,
    ...times(row),
  }));
}

function times({ deleted_at_ms }: { deleted_at_ms: number }) {
  return { deletedAt: toInstant(deleted_at_ms), expiresAt: toInstant(deleted_at_ms + binMs) };
}
