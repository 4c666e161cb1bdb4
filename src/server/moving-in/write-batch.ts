import type { LeftOutCounts } from '../../shared/moving-in.ts';
import type { Database } from '../database/tables.ts';
import type { Announce } from '../database/transactions.ts';
import { carriedWords } from '../forum/comments/carried-words.ts';
import { saveImages } from '../forum/comments/post-comment.ts';
import { saveFiles } from '../forum/files/comment-files.ts';
import { requireImages } from '../images/image-queries.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';
import type { StoredText } from '../texts/stored-text.ts';
import type { ImportedPerson } from './import-people.ts';

/** A message of a chat, ready to become a comment. */
export interface ImportedComment extends ImportedPerson {
  text: StoredText;
  atMs: number;
  images: { url: string; alt: string }[];
  files: { url: string; name: string }[];
}

/** How far an import is after a batch. */
export interface Progress {
  done: number;
  newestMs: number;
  newestCount: number;
  leftOut: LeftOutCounts;
}

/**
 * Writes a batch of comments with their old times, tells nobody, and announces one change.
 * @returns false, without writing, when the import was cancelled, its channel was opened or erased, or guests can read
 */
export async function writeBatch(
  trx: Database,
  announce: Announce,
  channelId: string,
  comments: ImportedComment[],
  progress: Progress,
  nowMs: number,
): Promise<boolean> {
  const channel = await trx
    .selectFrom('channels')
    .select(['last_comment_number', 'closed_at_ms', 'deleted_at_ms'])
    .where('id', '=', channelId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!channel || channel.closed_at_ms === null || channel.deleted_at_ms !== null) return false;
  if ((await settingsInForce(trx)).readers !== 'members') return false;
  const { newestMs, newestCount, done, leftOut } = progress;
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set({ done, newest_ms: newestMs, newest_count: newestCount, changed_at_ms: nowMs })
    .set({ left_out: JSON.stringify(leftOut) })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const [first] = comments;
  if (!first) return true;
  const before = channel.last_comment_number;
  await insertComments(trx, channelId, before, comments, nowMs);
  const last = before + comments.length;
  const hidden = await countHidden(trx, comments);
  await trx
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', comments.length - hidden),
      last_comment_number: last,
      // Nobody is told of old comments.
      told_number: last,
      active_at_ms: comments.at(-1)?.atMs ?? first.atMs,
      ...(before === 0 && { created_at_ms: first.atMs }),
    }))
    .where('id', '=', channelId)
    .execute();
  await announce({ kind: 'channel', channelId });
  return true;
}

/** Inserts the comments, numbered on from this number. */
async function insertComments(
  trx: Database,
  channelId: string,
  before: number,
  comments: ImportedComment[],
  nowMs: number,
): Promise<void> {
  const rows = comments.map(({ authorId, personId, text, atMs, images, files }, index) => ({
    ...{ channel_id: channelId, number: before + 1 + index, text, created_at_ms: atMs },
    ...{ account_id: authorId, person_id: personId, key_hash: null, request_hash: null },
    ...{ image_count: images.length, file_count: files.length, carries: null, reply_to: null },
    ...{ carried_text: carriedWords({ event: null, poll: null, files }), edited_at_ms: null },
    ...{ deleted_at_ms: null, hidden_by: null },
  }));
  await trx.insertInto('comments').values(rows).execute();
  for (const [index, { personId, images, files }] of comments.entries()) {
    const key = { channelId, number: before + 1 + index };
    for (const [use, uploads] of [
      ['comment', images],
      ['file', files],
    ] as const) {
      const urls = uploads.map(({ url }) => url);
      if (urls.length > 0) await requireImages(trx, { accountId: personId, use }, urls, nowMs);
    }
    await saveImages(trx, key, images);
    await saveFiles(trx, key, files);
  }
}

/** Number of these comments whose authors a moderator has hidden meanwhile, which are in no count. */
async function countHidden(trx: Database, comments: ImportedComment[]): Promise<number> {
  const rows = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', [...new Set(comments.map(({ authorId }) => authorId))])
    .where('hidden_by', 'is not', null)
    .execute();
  const ids = new Set(rows.map(({ id }) => id));
  return comments.filter(({ authorId }) => ids.has(authorId)).length;
}
