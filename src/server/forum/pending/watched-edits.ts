import type { CommentImage } from '../../../shared/comments.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { Database } from '../../database/tables.ts';
import { openCase } from '../../moderation/reports/open-case.ts';
import type { StoredText } from '../../texts/stored-text.ts';
import { findContactDetails } from './find-contact-details.ts';
import { isReviewed, isYoung } from './review-rules.ts';

interface Content {
  /** Text of a comment, name and description of a channel, or name of a person. */
  text: StoredText;
  images: CommentImage[];
  /** Kept with the case. */
  files?: { url: string }[];
}

/**
 * Opens a case when a young account's edit of something published adds a new address or another image. The edit itself
 * is not refused.
 * @param accountId of the person, or of the author of the content
 * @param revision of the content after the edit; 0 for a person
 */
export async function watchEdit(
  trx: Database,
  subject: Subject,
  accountId: string,
  { before, after, revision }: { before: Content; after: Content; revision: number },
  nowMs: number,
): Promise<void> {
  const known = new Set([
    ...findContactDetails(before.text),
    ...before.images.map(({ url }) => url),
  ]);
  const now = [...findContactDetails(after.text), ...after.images.map(({ url }) => url)];
  if (now.every((one) => known.has(one))) return;
  const account = await trx
    .selectFrom('accounts')
    .select(['created_at_ms', 'role'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (!isYoung(account, nowMs) || !(await isReviewed(trx, account))) return;
  await openCase(trx, subject, accountId, { ...after, revision }, nowMs);
}
