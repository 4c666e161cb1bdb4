import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { requireImages } from '../images/image-queries.ts';
import type { CommentContent } from './comment-content.ts';

/**
 * Stores the mentions and images of a comment, in the transaction that stores its text.
 * @param comment its author must own the images
 * @throws ApiError `invalid_fields` when a mentioned account does not exist; ImageNotFound
 */
export async function saveContent(
  trx: Database,
  comment: { channelId: string; number: number; authorId: string },
  { mentions, images }: CommentContent,
  nowMs: number,
): Promise<void> {
  const place = { channel_id: comment.channelId, number: comment.number };
  if (mentions.length > 0) {
    await requireAccounts(trx, [...new Set(mentions.map(({ accountId }) => accountId))]);
    const rows = mentions.map(({ start, length, accountId }) => ({
      ...place,
      start,
      length,
      account_id: accountId,
    }));
    await trx.insertInto('comment_mentions').values(rows).execute();
  }
  if (images.length > 0) {
    const urls = images.map(({ url }) => url);
    await requireImages(trx, { accountId: comment.authorId, use: 'comment' }, urls, nowMs);
    const rows = images.map((image, position) => ({ ...place, position, ...image }));
    await trx.insertInto('comment_images').values(rows).execute();
  }
}

/** Deletes the mentions and images of a comment, for an edit that stores others. */
export async function deleteContent(
  trx: Database,
  comment: { channelId: string; number: number },
): Promise<void> {
  for (const table of ['comment_mentions', 'comment_images'] as const) {
    await trx
      .deleteFrom(table)
      .where('channel_id', '=', comment.channelId)
      .where('number', '=', comment.number)
      .execute();
  }
}

async function requireAccounts(trx: Database, ids: string[]): Promise<void> {
  const found = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('erased_at_ms', 'is', null)
    .execute();
  if (found.length === ids.length) return;
  const message = 'Mencionas a alguien que no tiene cuenta. Borra esa mención y vuelve a enviarlo.';
  throw new ApiError('invalid_fields', { errors: [{ field: 'mentions', message }] });
}
