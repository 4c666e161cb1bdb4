import type { CommentKey } from '../../shared/comment-id.ts';
import type { Comment, CommentImage, NewComment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { type IdempotentRequest, newKey } from '../api/idempotent-request.ts';
import { changeDraft, type Draft, discardDraft, readDraft } from '../storage/drafts.ts';
import { deleteLocalFiles, storeLocalFile } from '../uploads/local-files.ts';
import { type MentionRange, storedRanges } from './mention-ranges.ts';
import { replyPrefix } from './unsent-replies.ts';

/** The content of an empty form. */
export const emptyContent = {
  text: '',
  mentions: [] as MentionRange[],
  images: [] as CommentImage[],
  /** Images that are not stored yet, by the keys of their files in `local-files.ts`. */
  uploads: [] as { key: string; name: string }[],
  /** The comment that a new one answers, and the part of its text that is quoted, which may be empty. */
  reply: null as { number: number; excerpt: string } | null,
  /** The request that sent this comment, while its outcome is unknown. */
  request: null as IdempotentRequest<NewComment> | null,
  /** The revision of the comment that is being changed; 0 for a new comment. */
  revision: 0,
  /** Whether it has changes of a comment that can no longer be changed, or a reply to one that was deleted. */
  isRescued: false,
};

export type CommentContent = typeof emptyContent;
export type DraftUpload = CommentContent['uploads'][number];
export type CommentDraft = Draft<CommentContent>;

export const newCommentDraft = (userId: string, channelId: string): CommentDraft => ({
  key: `comment-draft ${userId} ${channelId}`,
  unchanged: emptyContent,
});

/** The draft of a reply to a comment. */
export const replyDraft = (userId: string, { channelId, number }: CommentKey): CommentDraft => ({
  key: replyPrefix(userId, channelId) + number,
  unchanged: emptyContent,
});

export const editPrefix = (userId: string, channelId: string) =>
  `comment-edit ${userId} ${channelId} `;

export const commentEditDraft = (
  userId: string,
  { channelId, number }: CommentKey,
  unchanged = emptyContent,
): CommentDraft => ({ key: editPrefix(userId, channelId) + number, unchanged });

/**
 * The body of a request that sends a comment, without the ids of its channel and author. A quotation that the
 * original lacks now is left out.
 */
export function bodyOf({ text, mentions, images, reply }: CommentContent, original?: Comment) {
  const isQuoted = reply?.excerpt && (!original || original.comment.includes(reply.excerpt));
  const ranges = storedRanges(text, mentions);
  return {
    comment: text,
    ...(ranges.length > 0 && { mentions: ranges }),
    ...(images.length > 0 && { images }),
    ...(reply && { replyTo: reply.number }),
    ...(isQuoted && { replyExcerpt: reply.excerpt }),
  };
}

/** A comment that is edited. */
export type Edited = Pick<Comment, 'comment' | 'mentions' | 'images' | 'revision'>;

export function contentOf({ comment, mentions, images, revision }: Edited): CommentContent {
  const ranges = mentions.map(({ start, length, accountId }) => ({ start, length, accountId }));
  return { ...emptyContent, text: comment, mentions: ranges, images, revision };
}

/**
 * Moves a comment that was not published to the form that it came from.
 * @returns the comment that it answers, whose form may be on another page of comments
 */
export function returnToForm(
  userId: string,
  channelId: string,
  content: CommentContent,
): number | undefined {
  const number = content.reply?.number;
  const draft =
    number === undefined
      ? newCommentDraft(userId, channelId)
      : replyDraft(userId, { channelId, number });
  appendToDraft(draft, content);
  return number;
}

/** The name of the tab lock that is held while a draft is sent, and while it is moved. */
export const sendingLock = ({ key }: CommentDraft) => `send ${key}`;

/** Whether nothing was typed or chosen. */
export const isBlank = ({ text, images, uploads }: CommentContent) =>
  text === '' && images.length + uploads.length === 0;

/** Removes what was sent from a draft, unless it has changed meanwhile. */
export function clearSent(draft: CommentDraft, sent: CommentContent): void {
  const { text, images } = readDraft(draft);
  changeDraft(draft, {
    ...(text === sent.text && { text: '', mentions: [] }),
    images: images.filter(({ url }) => !sent.images.some((one) => one.url === url)),
    request: null,
    isRescued: false,
  });
  if (isBlank(readDraft(draft))) discardDraft(draft);
}

/** Appends what was typed elsewhere to a draft. */
export function appendToDraft(draft: CommentDraft, added: CommentContent): void {
  const typed = readDraft(draft);
  const lead = typed.text && added.text ? `${typed.text}\n\n` : typed.text;
  const mentions = added.mentions.map((one) => ({ ...one, start: one.start + lead.length }));
  changeDraft(draft, {
    text: lead + added.text,
    mentions: [...typed.mentions, ...mentions],
    images: [...typed.images, ...added.images],
    uploads: [...typed.uploads, ...added.uploads],
    reply: typed.reply ?? added.reply,
    // A request is repeated only if the draft equals it.
    request: typed.request ?? added.request,
    isRescued: typed.isRescued || added.isRescued,
  });
}

/** Adds files that are to be uploaded. @returns whether there were more than a comment can have */
export function addUploads(draft: CommentDraft, userId: string, files: File[]): boolean {
  const { images, uploads } = readDraft(draft);
  const room = limits.imagesPerComment - images.length - uploads.length;
  const added = files.slice(0, Math.max(0, room)).map((file) => {
    const key = `${userId} comment ${newKey()}`;
    storeLocalFile(key, file);
    return { key, name: file.name };
  });
  changeDraft(draft, { uploads: [...uploads, ...added] });
  return files.length > room;
}

/** Replaces an upload by its image in one step, or another tab could send the comment between two. */
export function finishUpload(draft: CommentDraft, { key }: DraftUpload, url: string): void {
  const { images, uploads } = readDraft(draft);
  // It was sent or discarded meanwhile, by another tab.
  if (!uploads.some((one) => one.key === key)) return;
  const isAdded = images.some((one) => one.url === url);
  changeDraft(draft, {
    images: isAdded ? images : [...images, { url, alt: '' }],
    uploads: uploads.filter((one) => one.key !== key),
  });
  deleteLocalFiles(key);
}

export function removeUpload(draft: CommentDraft, { key }: DraftUpload): void {
  deleteLocalFiles(key);
  changeDraft(draft, { uploads: readDraft(draft).uploads.filter((one) => one.key !== key) });
}

/** Discards a draft and the files that it was to upload. */
export function discardWithFiles(draft: CommentDraft): void {
  for (const upload of readDraft(draft).uploads) removeUpload(draft, upload);
  discardDraft(draft);
}
