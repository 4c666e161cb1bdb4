import { commentId } from '../../../shared/comment-id.ts';
import { limits } from '../../../shared/limits.ts';
import type { DeletedChannel, DeletedComment, Trash } from '../../../shared/trash.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { withSignedUrls } from '../../images/signed-urls.ts';
import { trashMs } from '../../system/times.ts';
import { formatTimedCursor, isPast, parseTimedCursor, type TimedCursor } from '../cursors.ts';
import { completeComments, replyCount, thanksCount } from './comment-details.ts';
import { isAt } from './comment-keys.ts';

/**
 * Deleted comments read for one page. Comments in hidden and deleted channels are skipped, so a page may be short or
 * empty although another page follows.
 */
const searchedComments = 100;

/**
 * One page of the comments that the account deleted and can restore, most recently deleted first. The first page also
 * has its deleted channels.
 * @param after `next` of the previous page
 * @throws InvalidCursor
 */
export async function readTrash(
  db: Database,
  accountId: string,
  { nowMs, after }: { nowMs: number; after?: string | undefined },
): Promise<Trash> {
  const sinceMs = nowMs - trashMs;
  const cursor = after === undefined ? undefined : parseTimedCursor('deleted_', after);
  const keys = await findKeys(db, accountId, sinceMs, cursor);
  const visible = keys.filter(isInVisibleChannel);
  const page = visible.slice(0, limits.commentsPerTrashPage);
  const hasMore = keys.length === searchedComments;
  const last = visible.length > page.length ? page.at(-1) : hasMore ? keys.at(-1) : undefined;
  return {
    data: await readItems(db, accountId, page, nowMs),
    next: last ? formatTimedCursor('deleted_', cursorAt(last)) : null,
    channels: cursor ? [] : await listDeletedChannels(db, accountId, sinceMs),
  };
}

type DeletedKey = Awaited<ReturnType<typeof findKeys>>[number];
type VisibleKey = DeletedKey & { name: string };

const isInVisibleChannel = (key: DeletedKey): key is VisibleKey => key.name !== null;

/** Keys of comments in an account's trash. `name` is null when the channel is not visible. */
function findKeys(
  db: Database,
  accountId: string,
  sinceMs: number,
  after: TimedCursor | undefined,
) {
  return db
    .selectFrom('comments')
    .leftJoin('visible_channels', 'visible_channels.id', 'comments.channel_id')
    .select([
      'comments.deleted_at_ms',
      'comments.channel_id',
      'comments.number',
      'visible_channels.name',
    ])
    .where('comments.account_id', '=', accountId)
    .where('comments.deleted_at_ms', '>', sinceMs)
    .where('comments.hidden_by', 'is', null)
    .where(isPast('deleted_at_ms', '<', after))
    .orderBy('comments.deleted_at_ms', 'desc')
    .orderBy('comments.channel_id', 'desc')
    .orderBy('comments.number', 'desc')
    .limit(searchedComments)
    .$narrowType<{ deleted_at_ms: number }>()
    .execute();
}

/** Comments with these keys, in the same order, with signed URLs of their images. */
async function readItems(
  db: Database,
  authorId: string,
  keys: VisibleKey[],
  nowMs: number,
): Promise<DeletedComment[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('comments')
    .innerJoin('accounts', 'accounts.id', 'comments.account_id')
    .selectAll('comments')
    .select(['accounts.name as autor', 'accounts.img as autor_img', 'accounts.role as autor_role'])
    .select([replyCount('comments').as('reply_count'), thanksCount('comments').as('thanks_count')])
    .where(isAt(keys))
    .where('comments.deleted_at_ms', 'is not', null)
    .where('comments.hidden_by', 'is', null)
    // Without this condition PostgreSQL would expect many authors and read all accounts.
    .where('accounts.id', '=', authorId)
    .execute();
  const comments = await withSignedUrls(db, await completeComments(db, rows), nowMs);
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return keys.flatMap((key) => {
    const comment = byId.get(commentId(key.channel_id, key.number));
    return comment ? [{ comment, channelName: key.name, ...times(key) }] : [];
  });
}

function cursorAt({ deleted_at_ms, channel_id, number }: DeletedKey): TimedCursor {
  return { atMs: deleted_at_ms, channelId: channel_id, number };
}

/** Channels in an account's trash, most recently deleted first, except those that a moderator has hidden. */
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
    .where('hidden_by', 'is', null)
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
  return { deletedAt: toInstant(deleted_at_ms), expiresAt: toInstant(deleted_at_ms + trashMs) };
}
