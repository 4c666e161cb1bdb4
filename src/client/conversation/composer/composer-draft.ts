import type { Comment, CommentImage } from '../../../shared/comments.ts';
import { limits } from '../../../shared/limits.ts';
import { newKey } from '../../api/idempotent-request.ts';
import { changeDraft, type Draft, discardDraft, readDraft } from '../../storage/drafts.ts';
import { deleteLocalFiles, storeLocalFile } from '../../storage/local-files.ts';
import { draftPrefix } from './edited-comment.ts';
import { type MentionRange, storedRanges } from './mention-ranges.ts';

/** The attribute of an element in a comment: there the composer stands while it answers or changes that comment. */
export const composerSlot = 'data-composer';

/** The content of an empty composer. */
const emptyContent = {
  text: '',
  mentions: [] as MentionRange[],
  images: [] as CommentImage[],
  /** Images that are not stored yet, by the keys of their files in `local-files.ts`. */
  uploads: [] as { key: string; name: string }[],
  /** The comment that this one answers, and the part of its text that is quoted, which may be empty. */
  reply: null as { number: number; excerpt: string } | null,
  /** The own comment that is changed, and the revision that the changes are of. */
  editing: null as { number: number; revision: number } | null,
  /** The idempotency key: made with the first character, and again when the server has refused the comment. */
  key: '',
  /**
   * `waiting`: to be sent when there is a connection, and can still be taken back. `sending`: sent once or more without an
   * answer. In both it cannot be changed.
   */
  state: 'typing' as 'typing' | 'waiting' | 'sending' | 'refused',
  /** Why the server has refused it. */
  refusal: '',
  /** Whether the server has refused the changes of a comment because it cannot be changed any more. */
  isTooLate: false,
};

export type Content = typeof emptyContent;
export type DraftUpload = Content['uploads'][number];
export type ComposerDraft = Draft<Content>;

/** The one draft of an account in a channel: of a comment, of a reply, or of changes of a comment. */
export const composerDraft = (userId: string, channelId: string): ComposerDraft => ({
  key: draftPrefix(userId) + channelId,
  unchanged: emptyContent,
});

/** Whether nothing was typed or chosen. */
export const isBlank = ({ text, images, uploads }: Content) =>
  text === '' && images.length + uploads.length === 0;

/** Whether it is being sent, or waits for that. */
export const isLocked = ({ state }: Content) => state === 'waiting' || state === 'sending';

/** Number of the comment below which the composer stands; undefined at the end of the page. */
export const targetOf = ({ reply, editing }: Content) => editing?.number ?? reply?.number;

/** Changes a draft. One without content, below no comment, is removed. */
export function changeComposer(draft: ComposerDraft, part: Partial<Content>): void {
  const content = { ...readDraft(draft), ...part };
  if (isBlank(content) && targetOf(content) === undefined) discardDraft(draft);
  else changeDraft(draft, { ...part, key: content.key || newKey() });
}

/** Makes a comment of its own of a reply, or of changes that cannot be saved. */
export const detach = (draft: ComposerDraft) =>
  changeComposer(draft, {
    ...{ reply: null, editing: null, isTooLate: false },
    ...{ state: 'typing', refusal: '', key: newKey() },
  });

/** Begins to change a comment, in place of what was typed. */
export function startEditing(draft: ComposerDraft, comment: Comment): void {
  discardWithFiles(draft);
  const { number, revision } = comment;
  changeComposer(draft, { ...fieldsOf(comment), editing: { number, revision } });
}

/** Whether a draft of changes differs from its comment. Without the comment it does. */
export function isChanged({ text, images, uploads }: Content, comment?: Comment): boolean {
  if (!comment) return true;
  const same = text === comment.comment && uploads.length === 0;
  return !same || JSON.stringify(images) !== JSON.stringify(comment.images);
}

/** The text, mentions and images of a comment, as they are edited. */
export function fieldsOf({
  comment,
  mentions,
  images,
}: Pick<Comment, 'comment' | 'mentions' | 'images'>) {
  const ranges = mentions.map(({ start, length, accountId }) => ({ start, length, accountId }));
  return { text: comment, mentions: ranges, images };
}

/** The body of a request that stores a comment, without the ids of its channel and author. */
export function bodyOf({ text, mentions, images, reply }: Content) {
  const ranges = storedRanges(text, mentions);
  return {
    comment: text,
    ...(ranges.length > 0 && { mentions: ranges }),
    ...(images.length > 0 && { images }),
    ...(reply && { replyTo: reply.number }),
    ...(reply?.excerpt && { replyExcerpt: reply.excerpt }),
  };
}

/** Why a comment that is taken back cannot be appended to what is typed; null when it can. */
export function whyNotAppended(content: Content): string | null {
  if (isLocked(content)) return 'Espera a que se envíe lo que has escrito.';
  return content.editing && 'Antes guarda o descarta los cambios que has empezado en este canal.';
}

/**
 * Appends a comment that is taken back to what is typed, unless it was appended before.
 * @returns a function that undoes it, unless the draft was changed since
 */
export function appendToDraft(
  draft: ComposerDraft,
  added: Pick<Content, 'text' | 'mentions' | 'images' | 'reply'>,
): () => void {
  const typed = readDraft(draft);
  if (added.text && typed.text.endsWith(added.text)) return () => {};
  const lead = typed.text && added.text ? `${typed.text}\n\n` : typed.text;
  const mentions = added.mentions.map((one) => ({ ...one, start: one.start + lead.length }));
  changeComposer(draft, {
    text: lead + added.text,
    mentions: [...typed.mentions, ...mentions],
    images: [...typed.images, ...added.images],
    reply: isBlank(typed) && !typed.reply ? added.reply : typed.reply,
  });
  const appended = readDraft(draft);
  return () => {
    if (readDraft(draft) === appended) changeComposer(draft, typed);
  };
}

/** Adds files that are to be uploaded. @returns whether there were more than a comment can have */
export function addUploads(draft: ComposerDraft, userId: string, files: File[]): boolean {
  const { images, uploads } = readDraft(draft);
  const room = limits.imagesPerComment - images.length - uploads.length;
  const added = files.slice(0, Math.max(0, room)).map((file) => {
    const key = `${userId} comment ${newKey()}`;
    storeLocalFile(key, file);
    return { key, name: file.name };
  });
  changeComposer(draft, { uploads: [...uploads, ...added] });
  return files.length > room;
}

/** Replaces an upload by its image. */
export function finishUpload(draft: ComposerDraft, { key }: DraftUpload, url: string): void {
  const { images, uploads } = readDraft(draft);
  // Another tab has finished or discarded it.
  if (!uploads.some((one) => one.key === key)) return;
  const isAdded = images.some((one) => one.url === url);
  changeComposer(draft, {
    images: isAdded ? images : [...images, { url, alt: '' }],
    uploads: uploads.filter((one) => one.key !== key),
  });
  deleteLocalFiles(key);
}

export function removeUpload(draft: ComposerDraft, { key }: DraftUpload): void {
  deleteLocalFiles(key);
  changeComposer(draft, { uploads: readDraft(draft).uploads.filter((one) => one.key !== key) });
}

/** Discards a draft and the files that it was to upload. */
export function discardWithFiles(draft: ComposerDraft): void {
  for (const { key } of readDraft(draft).uploads) deleteLocalFiles(key);
  discardDraft(draft);
}
