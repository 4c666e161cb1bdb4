import type { CommentImage, NewComment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { type IdempotentRequest, newKey } from '../api/idempotent-request.ts';
import { isRemoved } from '../state/changed-comments.ts';
import type { ChannelState } from '../state/state.ts';
import { changeDraft, type Draft, discardDraft, readDraft } from '../storage/drafts.ts';
import { isLike, isText, likeOrNull, storedKeys } from '../storage/stored-value.ts';
import { deleteLocalFiles, storeLocalFile } from '../uploads/local-files.ts';
import { isEditable } from './edit-time.ts';
import type { MentionRange } from './mention-ranges.ts';

/** The comment that a new one answers. */
export interface ReplyTarget {
  number: number;
  /** Empty when it is not known. */
  autor: string;
  /** A part of its text; may be empty. */
  excerpt: string;
}

/** An image that is being uploaded. */
export interface DraftUpload {
  /** The key of its file in `local-files.ts`. */
  key: string;
  name: string;
}

/** What an account has typed for a new comment on a channel, or to change one. */
export interface CommentContent {
  text: string;
  mentions: MentionRange[];
  images: CommentImage[];
  /** Until they are stored and become `images`. */
  uploads: DraftUpload[];
  reply: ReplyTarget | null;
  /** The request that sent this comment, while its outcome is unknown. */
  request: IdempotentRequest<NewComment> | null;
  /** The revision of the comment that is being changed; 0 for a new comment. */
  revision: number;
  /** Whether it has unsaved changes of a comment that is lost since. */
  isRescued: boolean;
}

export type CommentDraft = Draft<CommentContent>;

export const emptyContent: CommentContent = {
  text: '',
  mentions: [],
  images: [],
  uploads: [],
  reply: null,
  request: null,
  revision: 0,
  isRescued: false,
};

const contentExample = {
  text: '',
  mentions: [{ start: 0, length: 0, accountId: '' }],
  images: [{ url: '', alt: '' }],
  uploads: [{ key: '', name: '' }],
  revision: 0,
  isRescued: false,
};
const replyExample = { number: 0, autor: '', excerpt: '' };
export const requestExample = { key: '', body: { id: '', comment: '' } as NewComment };

/** Reads drafts of earlier versions too, which have a text and a request only. */
function parseContent(fields: Record<string, unknown>): CommentContent | null {
  const content = {
    ...emptyContent,
    ...fields,
    reply: likeOrNull(replyExample, fields.reply),
    request: likeOrNull(requestExample, fields.request),
  };
  return isText(fields.text) && isLike(contentExample, content) ? content : null;
}

export const newCommentDraft = (userId: string, channelId: string): CommentDraft => ({
  key: `comment-draft ${userId} ${channelId}`,
  parse: parseContent,
  unchanged: emptyContent,
});

const editPrefix = (userId: string, channelId: string) => `comment-edit ${userId} ${channelId} `;

/** @param unchanged the comment as it is */
export const commentEditDraft = (
  userId: string,
  channelId: string,
  number: number,
  unchanged = emptyContent,
): CommentDraft => ({
  key: `${editPrefix(userId, channelId)}${number}`,
  parse: parseContent,
  unchanged,
});

/** Removes what was sent from a draft, unless it has changed meanwhile. */
export function clearSent(draft: CommentDraft, sent: CommentContent): void {
  const { text, images, reply } = readDraft(draft);
  const sentUrls = sent.images.map(({ url }) => url);
  changeDraft(draft, {
    ...(text === sent.text && { text: '', mentions: [] }),
    images: images.filter(({ url }) => !sentUrls.includes(url)),
    reply: JSON.stringify(reply) === JSON.stringify(sent.reply) ? null : reply,
    request: null,
    isRescued: false,
  });
}

/** Appends what was typed elsewhere to a draft. */
export function appendToDraft(draft: CommentDraft, added: Partial<CommentContent>): void {
  const typed = readDraft(draft);
  const more = { ...emptyContent, ...added };
  const lead = typed.text && more.text ? `${typed.text}\n\n` : typed.text;
  const mentions = more.mentions.map((one) => ({ ...one, start: one.start + lead.length }));
  const images = [...typed.images, ...more.images].slice(0, limits.imagesPerComment);
  changeDraft(draft, {
    text: lead + more.text,
    mentions: [...typed.mentions, ...mentions],
    images,
    uploads: [...typed.uploads, ...more.uploads].slice(0, limits.imagesPerComment - images.length),
    reply: typed.reply ?? more.reply,
    isRescued: typed.isRescued || more.isRescued,
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

export function removeUpload(draft: CommentDraft, { key }: DraftUpload): void {
  deleteLocalFiles(key);
  changeDraft(draft, { uploads: readDraft(draft).uploads.filter((one) => one.key !== key) });
}

/** Whether a comment is deleted, or can be changed no more. */
export function isEditLost(channel: ChannelState | undefined, number: number): boolean {
  const comment = channel?.comments.find((one) => one.number === number);
  return !channel || isRemoved(channel, number) || (comment !== undefined && !isEditable(comment));
}

/** Appends unsaved changes of lost comments to the draft of a new one. @returns whether there were any */
export function rescueEdits(
  userId: string,
  channelId: string,
  isLost: (number: number) => boolean,
): boolean {
  const numbers = storedKeys(editPrefix(userId, channelId)).map(Number).filter(isLost);
  for (const number of numbers) {
    const edit = commentEditDraft(userId, channelId, number);
    appendToDraft(newCommentDraft(userId, channelId), { ...readDraft(edit), isRescued: true });
    discardDraft(edit);
  }
  return numbers.length > 0;
}
