import { v7 as uuidv7 } from 'uuid';
import type { CommentImage } from '../../../shared/comments.ts';
import type { Subject } from '../../../shared/moderation.ts';
import type { StoredText } from '../../database/stored-text.ts';
import type { Database } from '../../database/tables.ts';
import { findAddresses } from './find-links.ts';
import { isReviewed, isYoung } from './hold-post.ts';

interface Content {
  /** Text of a comment, name and description of a channel, or name of a person. */
  text: StoredText;
  images: CommentImage[];
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

/** Opens a case without reports, unless one about the same subject is open. */
async function openCase(
  trx: Database,
  { kind, id }: Subject,
  account_id: string,
  { text, images, revision }: Content & { revision: number },
  nowMs: number,
): Promise<void> {
  await trx
    .insertInto('cases')
    .values({
      ...{ id: uuidv7(), subject_kind: kind, subject_id: id, account_id },
      ...{ text, images: JSON.stringify(images), revision, report_count: 0 },
      ...{ opened_at_ms: nowMs, decided_at_ms: null, decision_id: null },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['subject_kind', 'subject_id', 'account_id'])
        .where('decided_at_ms', 'is', null)
        .doNothing(),
    )
    .execute();
}
