import type { User } from '../../../shared/accounts.ts';
import { parseCommentId } from '../../../shared/comment-id.ts';
import type { Comment } from '../../../shared/comments.ts';
import type { Role } from '../../../shared/moderation.ts';
import type { PendingPost } from '../../../shared/pending.ts';
import { type Approvable, approve } from '../../accounts/standing/approval.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import { requireWriter } from '../../accounts/standing/restrictions.ts';
import type { SentKey } from '../../database/content-tables.ts';
import type { Database } from '../../database/tables.ts';
import type { Announce, WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { countText } from '../../http/limits/daily-text.ts';
import { requireImages } from '../../images/image-queries.ts';
import { kindsOf, writeNotifications } from '../../notifications/write-notifications.ts';
import { indexNewComment } from '../../search-index/index-comment.ts';
import { mentionedAccounts, type StoredText } from '../../texts/stored-text.ts';
import { withCarried } from '../../texts/whole-text.ts';
import type { AnnouncementContent } from '../announcements/announcement-content.ts';
import { insertAnnouncement } from '../announcements/announcement-rows.ts';
import type { EventContent } from '../events/event-content.ts';
import { insertEvent } from '../events/event-rows.ts';
import { saveFiles } from '../files/comment-files.ts';
import { findMade } from '../idempotency.ts';
import { findPendingPost } from '../pending/pending-rows.ts';
import { findPendingReason, storePendingPost } from '../pending/review-rules.ts';
import type { PollContent } from '../polls/poll-content.ts';
import { insertPoll } from '../polls/poll-rows.ts';
import { isPublic } from '../visible-rows.ts';
import { carriedWords } from './carried-words.ts';
import { type CommentContent, type SentFile, unknownComment } from './comment-content.ts';
import { completeComments } from './comment-details.ts';
import { findComment } from './comment-queries.ts';
import { lockVisibleChannel } from './stored-comments.ts';

export interface CommentServices {
  db: Database;
  withTransaction: WithTransaction;
  now: () => number;
}

export interface NewCommentContent extends CommentContent {
  channelId: string;
  /** Number of the comment that it replies to. */
  replyTo: number | null;
  files: SentFile[];
  event: EventContent | null;
  poll: PollContent | null;
  announcement: AnnouncementContent | null;
}

/**
 * Publishes a comment, or stores it for review. Repeating a request with its idempotency key writes nothing.
 * @throws ApiError `channel_not_found`, `channel_closed`, `gone`, `idempotency_key_reused`, `invalid_fields`,
 * `not_signed_in`, `silenced`, `suspended`, `too_many_pending`
 */
export async function postComment(
  { withTransaction, now }: CommentServices,
  author: User,
  content: NewCommentContent,
  sent: SentKey,
): Promise<Comment | PendingPost> {
  const { channelId } = content;
  return withTransaction(`channel ${channelId}`, async (trx, announce) => {
    const nowMs = now();
    const account = await requireWriter(trx, author.id, nowMs);
    const made = await findMade<Comment | PendingPost>(trx, author.id, sent, (id) => {
      const key = parseCommentId(id);
      // An id without a number belongs to a pending post.
      return key ? findComment(trx, key) : findPendingPost(trx, author.id, nowMs, id);
    });
    if (made) return made;
    await countText(trx, author.id, content, nowMs);
    if (content.announcement && account.role === 'member') throw new ApiError('staff_only');
    const post = { kind: 'comment', content } as const;
    const reason = await findPendingReason(trx, account, post, nowMs);
    const number = await (reason
      ? readNextNumber(trx, channelId)
      : nextNumber(trx, channelId, nowMs));
    await checkContent(trx, author.id, content, nowMs);
    if (content.replyTo !== null && content.replyTo >= number) throw unknownReply();
    if (reason) return storePendingPost(trx, author.id, post, reason, sent, nowMs);
    const writer = { ...author, ...account };
    return publishComment(trx, announce, writer, { ...content, ...sent, number }, nowMs);
  });
}

/**
 * Takes the number of a new comment. Locks the channel's row, so that numbers follow the order of commits.
 * @throws ApiError `channel_not_found`, `channel_closed`
 */
export async function nextNumber(trx: Database, channelId: string, nowMs: number): Promise<number> {
  const channel = await trx
    .updateTable('channels')
    .set((eb) => ({
      comment_count: eb('comment_count', '+', 1),
      last_comment_number: eb('last_comment_number', '+', 1),
      active_at_ms: nowMs,
    }))
    .where('id', '=', channelId)
    .where(isPublic('channels'))
    .returning(['last_comment_number', 'closed_at_ms'])
    .executeTakeFirst();
  if (!channel) throw new ApiError('channel_not_found');
  // The error rolls the update back.
  if (channel.closed_at_ms !== null) throw new ApiError('channel_closed');
  return channel.last_comment_number;
}

/** Like `nextNumber`, for a comment that waits for review and takes no number yet. */
async function readNextNumber(trx: Database, channelId: string): Promise<number> {
  const { last_comment_number, closed_at_ms } = await lockVisibleChannel(trx, channelId);
  if (closed_at_ms !== null) throw new ApiError('channel_closed');
  return last_comment_number + 1;
}

/**
 * Checks the mentioned accounts, the images and the files of a comment. Call it in the transaction that stores them.
 * @param content `before` is the text that an edit replaces; accounts already mentioned there are not checked again
 * @throws ApiError `invalid_fields` when a mentioned account is not listed, or an image or file is not one of the author's
 */
export async function checkContent(
  trx: Database,
  authorId: string,
  content: CommentContent & { files?: SentFile[]; before?: StoredText | null },
  nowMs: number,
): Promise<void> {
  const { text, images, files = [], before = null } = content;
  const added = mentionedAccounts([text]).difference(mentionedAccounts([before]));
  if (added.size > 0) await requireAccounts(trx, [...added]);
  for (const [use, uploads] of [
    ['comment', images],
    ['file', files],
  ] as const) {
    const urls = uploads.map(({ url }) => url);
    await requireImages(trx, { accountId: authorId, use }, urls, nowMs);
  }
}

async function requireAccounts(trx: Database, ids: string[]): Promise<void> {
  const found = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .where('erased_at_ms', 'is', null)
    .where('admission', 'is', null)
    .where(isListed)
    .execute();
  if (found.length === ids.length) return;
  const message = 'Mencionas a alguien que no tiene cuenta. Borra esa mención y vuelve a enviarlo.';
  throw new ApiError('invalid_fields', { errors: [{ field: 'mentions', message }] });
}

/**
 * Stores and announces a checked comment and notifies the author it replies to and the people it mentions, in the
 * transaction that took its number.
 */
export async function publishComment(
  trx: Database,
  announce: Announce,
  author: Pick<User, 'id' | 'name' | 'img'> & Approvable & { role: Role },
  comment: NewCommentContent & SentKey & { number: number },
  nowMs: number,
): Promise<Comment> {
  const { channelId, number, text, images, files, replyTo, event, poll, announcement } = comment;
  const { key_hash, request_hash } = comment;
  const row = {
    channel_id: channelId,
    number,
    account_id: author.id,
    person_id: null,
    text,
    created_at_ms: nowMs,
    revision: 1,
    edited_at_ms: null,
    reply_to: replyTo,
    image_count: images.length,
    file_count: files.length,
    carries: event ? ('event' as const) : poll ? ('poll' as const) : null,
    carried_text: carriedWords(comment),
    is_announcement: Number(announcement !== null),
    key_hash,
    request_hash,
  };
  await trx.insertInto('comments').values(row).execute();
  if (author.approved_at_ms === null) await approve(trx, announce, author.id, nowMs);
  const indexed = { text: withCarried(text, row.carried_text), authorId: author.id };
  await indexNewComment(trx, { channelId, number }, indexed);
  await saveImages(trx, { channelId, number }, images);
  await saveFiles(trx, { channelId, number }, files);
  if (event) await insertEvent(trx, { channelId, number }, event, nowMs);
  if (poll) await insertPoll(trx, { channelId, number }, poll);
  if (announcement) {
    // Its own notification is for everybody.
    await insertAnnouncement(trx, { channelId, number }, announcement);
  } else {
    const cause = { channelId, number, actorId: author.id };
    const repliedId = await findAuthor(trx, channelId, replyTo);
    await writeNotifications(trx, cause, kindsOf(author.id, text, repliedId), nowMs);
  }
  const { name, img, role } = author;
  const counts = { reply_count: 0, thanks_count: 0 };
  const complete = { ...row, ...counts, autor: name, autor_img: img, autor_role: role };
  const published = (await completeComments(trx, [complete]))[0] as Comment;
  await announce({ kind: 'comment', channelId, number, comment: published });
  return published;
}

/** The author of a visible comment. */
async function findAuthor(
  trx: Database,
  channelId: string,
  number: number | null,
): Promise<string | undefined> {
  if (number === null) return undefined;
  const comment = await trx
    .selectFrom('visible_comments')
    .select('account_id')
    .where('channel_id', '=', channelId)
    .where('number', '=', number)
    .executeTakeFirst();
  return comment?.account_id;
}

function unknownReply(): ApiError {
  const errors = [{ field: 'replyTo', message: unknownComment }];
  return new ApiError('invalid_fields', { errors });
}

/** Stores the images of a comment. Call `checkContent` first. */
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
