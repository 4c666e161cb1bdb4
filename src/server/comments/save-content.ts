import { mentionedAccounts, type StoredText } from '../database/stored-text.ts';
import type { Database } from '../database/tables.ts';
import { isNamed } from '../held/hold.ts';
import { ApiError } from '../http/api-error.ts';
import { requireImages } from '../images/image-queries.ts';
import type { CommentContent } from './comment-content.ts';

/**
 * Checks the mentioned accounts and the images of a comment. Call it in the transaction that stores them.
 * @param content with `before`, the text that an edit replaces: who is mentioned there already is not checked again
 * @throws ApiError `invalid_fields` when lists of people do not name a mentioned account, or an image of the author does
 * not exist
 */
export async function checkContent(
  trx: Database,
  authorId: string,
  { text, images, before = null }: CommentContent & { before?: StoredText | null },
  nowMs: number,
): Promise<void> {
  const added = mentionedAccounts([text]).difference(mentionedAccounts([before]));
  await requireAccounts(trx, [...added]);
  const urls = images.map(({ url }) => url);
  await requireImages(trx, { accountId: authorId, use: 'comment' }, urls, nowMs);
}

/** Stores the images of a comment, which `checkContent` has checked. */
export async function saveImages(
  trx: Database,
  comment: { channelId: string; number: number },
  images: CommentContent['images'],
): Promise<void> {
  if (images.length === 0) return;
  const key = { channel_id: comment.channelId, number: comment.number };
  const rows = images.map((image, position) => ({ ...key, position, ...image }));
  await trx.insertInto('comment_images').values(rows).execute();
}

/** Deletes the images of a comment before an edit stores others. */
export async function deleteImages(
  trx: Database,
  comment: { channelId: string; number: number },
): Promise<void> {
  await trx
    .deleteFrom('comment_images')
    .where('channel_id', '=', comment.channelId)
    .where('number', '=', comment.number)
    .execute();
}

async function requireAccounts(trx: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('erased_at_ms', 'is', null)
    .where('admission', 'is', null)
    .where(await isNamed(trx))
    .execute();
  if (found.length === ids.length) return;
  const message = 'Mencionas a alguien que no tiene cuenta. Borra esa mención y vuelve a enviarlo.';
  throw new ApiError('invalid_fields', { errors: [{ field: 'mentions', message }] });
}
