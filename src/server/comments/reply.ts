import { maxNumber } from '../../shared/comment-id.ts';
import type { NewComment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { findExcerpt, type StoredText } from '../database/stored-text.ts';
import type { Database } from '../database/tables.ts';
import { ApiError } from '../http/api-error.ts';
import type { FieldParser } from '../http/field-parser.ts';
import { findNames } from './mention-names.ts';
import { addToReplyCount, type CommentKey } from './stored-comments.ts';

export interface ReplyFields {
  /** Number of the comment that is replied to. */
  replyTo: number;
  /** Quoted text as people read it, trimmed and in NFC; empty for none. */
  excerpt: string;
  /** Whether the excerpt was once found in the comment, which may have been edited since. */
  wasFound?: boolean;
}

const unknownComment = 'El comentario al que respondes no existe. Quita la respuesta.';
const foreignExcerpt = 'La cita no está en el comentario al que respondes. Quítala o elige otra.';

/** @returns undefined for a comment that is not a reply; call `fields.done()` before using it */
export function parseReply(
  fields: FieldParser,
  { replyTo = null, replyExcerpt = '' }: Pick<NewComment, 'replyTo' | 'replyExcerpt'>,
): ReplyFields | undefined {
  const excerpt = fields.optionalText('replyExcerpt', replyExcerpt, limits.replyExcerptChars);
  if (replyTo === null) {
    if (excerpt !== '') fields.reject('replyExcerpt', foreignExcerpt);
    return undefined;
  }
  if (replyTo < 1 || replyTo > maxNumber) fields.reject('replyTo', unknownComment);
  return { replyTo, excerpt };
}

/**
 * Finds what a new comment quotes. A reply to a comment that was deleted or hidden meanwhile loses its excerpt.
 * @param number of the new comment
 * @returns the excerpt to store, null when there is none; and whether the comment replied to is visible
 * @throws ApiError `invalid_fields` for a number that no comment has had, and for an excerpt that does
 * not occur in the comment
 */
export async function findQuotation(
  trx: Database,
  { channelId, number }: CommentKey,
  { replyTo, excerpt, wasFound }: ReplyFields,
): Promise<{ excerpt: StoredText | null; isVisible: boolean }> {
  if (replyTo >= number) throw invalid('replyTo', unknownComment);
  const original = await trx
    .selectFrom('visible_comments')
    .select('text')
    .where('channel_id', '=', channelId)
    .where('number', '=', replyTo)
    .executeTakeFirst();
  if (!original) return { excerpt: null, isVisible: false };
  const names = await findNames(trx, [original.text]);
  const stored = findExcerpt(original.text, names, excerpt);
  if (stored === undefined && !wasFound) throw invalid('replyExcerpt', foreignExcerpt);
  return { excerpt: stored || null, isVisible: true };
}

/** As `findQuotation`, and counts the new comment as a reply, in the transaction that has locked the channel. */
export async function addReply(trx: Database, key: CommentKey, reply: ReplyFields) {
  const quotation = await findQuotation(trx, key, reply);
  // The comment may be restored or shown again, with its count of replies.
  await addToReplyCount(trx, { channelId: key.channelId, number: reply.replyTo }, 1);
  return quotation;
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('invalid_fields', { errors: [{ field, message }] });
}
