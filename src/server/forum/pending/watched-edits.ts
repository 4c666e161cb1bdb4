import type { CommentImage } from '../../../shared/comments.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { openCase } from '../../moderation/reports/open-case.ts';
import { findAddresses } from './find-links.ts';
import { isReviewed, isYoung } from './hold-post.ts';

interface Content {
  /** The text of a comment, the name and description of a channel, or the name of a person. */
  text: StoredText;
  images: CommentImage[];
}

/**
 * Shows moderators what a young account changes after it was published: an address that was not there before, or another
 * image. It stays published: nothing is refused.
 * @param accountId of the person, or the author of the content
 * @param revision of the content after the edit; 0 for a person
 */
export async function watchEdit(
  trx: Database,
  subject: Subject,
  accountId: string,
  { before, after, revision }: { before: Content; after: Content; revision: number },
  nowMs: number,
): Promise<void> {
  const known = new Set([...findAddresses(before.text), ...before.images.map(({ url }) => url)]);
  const now = [...findAddresses(after.text), ...after.images.map(({ url }) => url)];
  if (now.every((one) => known.has(one))) return;
  const account = await trx
    .selectFrom('accounts')
    .select(['created_at_ms', 'role'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (!isYoung(account, nowMs) || !(await isReviewed(trx, account))) return;
  await openCase(trx, subject, accountId, { ...after, revision }, nowMs);
}
