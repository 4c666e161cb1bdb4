import type { Config } from '../config/config.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import { requireImages } from '../images/image-queries.ts';
import { countText } from '../overload/text-budget.ts';
import type { CommentContent } from './comment-content.ts';

/**
 * Stores the mentions and images of a comment, in the transaction that stores its text, and counts its text.
 * @param comment its author must own the images
 * @param content with the excerpt that is quoted, if any
 * @throws ApiError `invalid_fields` when a mentioned account does not exist, `too_many_requests` when the author
 * has stored too much text; ImageNotFound
 */
export async function saveContent(
  trx: Database,
  config: Pick<Config, 'rateLimits'>,
  comment: { channelId: string; number: number; authorId: string },
  {
    text,
    mentions,
    images,
    excerpt = null,
  }: CommentContent & { excerpt?: string | null | undefined },
  nowMs: number,
): Promise<void> {
  // A row of a mention names the channel and the account.
  const named = mentions.flatMap(({ accountId }) => [comment.channelId, accountId]);
  const texts = [text, excerpt, ...images.map(({ alt }) => alt), ...named];
  await countText(trx, config, comment.authorId, texts, nowMs);
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
