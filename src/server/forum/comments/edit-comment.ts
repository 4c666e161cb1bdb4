import { sql } from 'kysely';
import type { CommentKey } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { emptyText } from '../../http/field-parser.ts';
import { countText } from '../../http/limits/daily-text.ts';
import { requireRevision } from '../../http/revisions.ts';
import { markForSweep } from '../../images/image-visibility.ts';
import { newlyMentioned, writeNotifications } from '../../notifications/write-notifications.ts';
import { indexComment } from '../../search-index/index-comment.ts';
import { mentionedAccounts, toStoredText } from '../../texts/stored-text.ts';
import { withCarried } from '../../texts/whole-text.ts';
import { watchEdit } from '../pending/watched-edits.ts';
import type { CommentContent } from './comment-content.ts';
import { requireComment } from './comment-queries.ts';
import { requireAuthor } from './delete-comment.ts';
import { deleteVersions, findSurplus, keepsVersion } from './keep-version.ts';
import { type CommentServices, checkContent, saveImages } from './post-comment.ts';
import { findStored, lockVisibleChannel, type StoredComment } from './stored-comments.ts';

/**
 * Replaces the text, mentions and images of the caller's comment, and notifies those it did not mention before. If the comment already has this content, nothing
 * changes, whatever the revision, so that a client whose response was lost can retry.
 * @throws ApiError `channel_not_found`, `comment_not_found`, `not_yours`, `revision_required`, `edit_conflict`,
 * `edit_expired`, `invalid_fields`; errors of `requireWriter`
 */
export async function editComment(
  services: CommentServices,
  callerId: string,
  key: CommentKey,
  ifMatch: string | undefined,
  content: CommentContent,
): Promise<Comment> {
  return services.withTransaction(`channel ${key.channelId}`, async (trx, announce) => {
    await requireWriter(trx, callerId, services.now());
    await lockVisibleChannel(trx, key.channelId);
    const stored = await requireAuthor(trx, await findStored(trx, key), callerId);
    const current = await requireComment(trx, key);
    const carries = stored.carries !== null || stored.file_count > 0;
    if (content.text === '' && content.images.length === 0 && !carries) {
      throw new ApiError('invalid_fields', { errors: [{ field: 'comment', message: emptyText }] });
    }
    const isUnchanged = isSame(current, content);
    requireRevision(ifMatch, current, isUnchanged);
    if (isUnchanged) return current;
    const nowMs = services.now();
    const ageMs = nowMs - Date.parse(current.createdAt);
    // Words of a chat stay as they were written, for whoever claimed them may have to give them back.
    if (stored.person_id !== null || ageMs >= limits.editHours * 3_600_000)
      throw new ApiError('edit_expired');
    const isUnmarked = ageMs < limits.unmarkedEditMinutes * 60_000 && current.replyCount === 0;
    await announce({ kind: 'channel', channelId: key.channelId, numbers: [key.number] });
    await countText(trx, callerId, content, nowMs);
    const removed = await replaceVersion(trx, stored, nowMs);
    await checkContent(trx, callerId, { ...content, before: stored.text }, nowMs);
    await saveImages(trx, key, content.images);
    await markForSweep(trx, removed);
    await trx
      .updateTable('comments')
      .set({
        text: content.text,
        revision: current.revision + 1,
        image_count: content.images.length,
        ...(isUnmarked ? {} : { edited_at_ms: nowMs }),
      })
      .where('channel_id', '=', key.channelId)
      .where('number', '=', key.number)
      .execute();
    const text = withCarried(content.text, stored.carried_text);
    await indexComment(trx, key, { text, authorId: callerId });
    const event = { ...key, actorId: callerId, isEdit: true };
    const texts = { before: stored.text, after: content.text };
    // Everybody is told of an announcement, as it was.
    if (stored.is_announcement === 0)
      await writeNotifications(trx, event, await newlyMentioned(trx, event, texts), nowMs);
    const subject = { kind: 'comment', id: current.id } as const;
    const before = { text: stored.text, images: current.images };
    const after = { ...content, files: current.files };
    const change = { before, after, revision: current.revision + 1 };
    await watchEdit(trx, subject, callerId, change, nowMs);
    return requireComment(trx, key);
  });
}

function isSame(current: Comment, { text, images }: CommentContent): boolean {
  const parts = ({ url, alt }: CommentContent['images'][number]) => [url, alt];
  return (
    toStoredText(current.comment, current.mentions) === text &&
    JSON.stringify(current.images.map(parts)) === JSON.stringify(images.map(parts))
  );
}

/**
 * Removes the current images, and stores them with the current text as a version, unless it belongs to the newest one.
 * @returns the URLs of images that are in no version any more
 */
async function replaceVersion(
  trx: Database,
  { channel_id, number, revision, text, account_id: authorId }: StoredComment,
  nowMs: number,
): Promise<string[]> {
  const edited = { channelId: channel_id, number, authorId };
  // The mentioned people were told of this text, so it stays for moderators.
  const isKept = mentionedAccounts([text]).size > 0 || (await keepsVersion(trx, edited, nowMs));
  const images = await trx
    .deleteFrom('comment_images')
    .where('channel_id', '=', channel_id)
    .where('number', '=', number)
    .returning(['channel_id', 'number', 'position', 'url', 'alt'])
    .execute();
  if (!isKept) return images.map(({ url }) => url);
  await trx
    .insertInto('comment_versions')
    .values({ channel_id, number, revision, text, replaced_at_ms: nowMs })
    .execute();
  const rows = images.map((image) => ({ ...image, revision }));
  if (rows.length > 0) await trx.insertInto('comment_version_images').values(rows).execute();
  const surplus = await findSurplus(trx, edited);
  return surplus === undefined ? [] : deleteVersions(trx, edited, sql`revision = ${surplus}`);
}
