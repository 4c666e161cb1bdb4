import type { Comment, CommentImage } from '../../../shared/comments.ts';
import type { CommentFile } from '../../../shared/files.ts';
import { limits } from '../../../shared/limits.ts';
import { Failure } from '../../api/failures.ts';
import { newKey } from '../../api/idempotent-request.ts';
import { changeDraft, type Draft, discardDraft, readDraft } from '../../storage/drafts.ts';
import { deleteLocalFiles, storeLocalFile } from '../../storage/local-files.ts';
import { commentTexts } from '../comment-texts.ts';
import { draftPrefix } from './edited-comment.ts';
import type { EventDraft } from './empty-event.ts';
import { type MentionRange, storedRanges } from './mention-ranges.ts';

const emptyContent = {
  text: '',
  mentions: [] as MentionRange[],
  images: [] as CommentImage[],
  files: [] as CommentFile[],
  /** Images and files not stored yet, with their keys in `local-files.ts`. */
  uploads: [] as { key: string; name: string; isFile?: boolean }[],
  /** The dates that the comment will carry. */
  event: null as EventDraft | null,
  /** Makes the comment an announcement, until a day; empty for a week. */
  announcement: null as { until: string; confirm: boolean } | null,
  /** The comment being replied to. */
  reply: null as { number: number } | null,
  /** The user's comment being edited, and the revision that the edit is based on. */
  editing: null as { number: number; revision: number } | null,
  /** The idempotency key: created with the first character, and renewed when the server has refused the comment. */
  key: '',
  /**
   * `waiting`: to be sent when there is a connection, and can still be withdrawn. `sending`: sent at least once,
   * without a response. In both states the draft is read-only.
   */
  state: 'typing' as 'typing' | 'waiting' | 'sending' | 'refused',
  refusal: '',
  /** Whether the server has answered with an error that a later attempt may not get. */
  hasServerFailed: false,
};

export type Content = typeof emptyContent;
export type DraftUpload = Content['uploads'][number];
export type ComposerDraft = Draft<Content>;

/** The draft of a comment, a reply or an edit: an account has only one in each channel. */
export const composerDraft = (userId: string, channelId: string): ComposerDraft => ({
  key: draftPrefix(userId) + channelId,
  unchanged: emptyContent,
});

/** How many images, or files, a draft has, with those not stored yet. */
export const countUploaded = ({ images, files, uploads }: Content, areFiles: boolean) =>
  (areFiles ? files : images).length +
  uploads.filter(({ isFile = false }) => isFile === areFiles).length;

/** Whether a draft has no images, no files and no dates. */
export const carriesNothing = ({ images, files, uploads, event }: Content) =>
  images.length + files.length + uploads.length === 0 && event === null;

/** Whether a draft has no text, carries nothing and is no announcement. */
export const isBlank = (content: Content) =>
  content.text === '' && carriesNothing(content) && content.announcement === null;

/** Whether the draft is being sent or waits to be sent. */
export const isLocked = ({ state }: Content) => state === 'waiting' || state === 'sending';

/** Number of the comment that the composer is attached to; undefined when it stands at the end of the page. */
export const targetOf = ({ reply, editing }: Content) => editing?.number ?? reply?.number;

/** Changes a draft. Discards one that has no content and is not attached to a comment. */
export function changeComposer(
  draft: ComposerDraft,
  part: Partial<Content>,
  isTyping = false,
): void {
  const content = { ...readDraft(draft), ...part };
  if (isBlank(content) && targetOf(content) === undefined) discardDraft(draft);
  else changeDraft(draft, { ...part, key: content.key || newKey() }, isTyping);
}

/** A text with a quotation added at its end, below which the author goes on writing. */
export function withQuotation(text: string, quoted: string): string {
  const lead = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${lead}${quoted.replace(/^/gm, '> ')}\n`;
}

/** Turns a reply or an edit into a new comment. */
export const detach = (draft: ComposerDraft) =>
  changeComposer(draft, {
    reply: null,
    editing: null,
    state: 'typing',
    refusal: '',
    key: newKey(),
  });

/** Starts editing a comment, discarding the draft. */
export function startEditing(draft: ComposerDraft, comment: Comment): void {
  discardWithFiles(draft);
  const { number, revision } = comment;
  changeComposer(draft, { ...fieldsOf(comment), editing: { number, revision } });
}

/** Whether the draft of an edit differs from its comment; true if the comment is not loaded. */
export function isChanged({ text, images, uploads }: Content, comment?: Comment): boolean {
  if (!comment) return true;
  const same = text === comment.comment && uploads.length === 0;
  return !same || JSON.stringify(images) !== JSON.stringify(comment.images);
}

/** Converts the text, mentions and images of a comment to the fields of a draft. */
export function fieldsOf({
  comment,
  mentions,
  images,
}: Pick<Comment, 'comment' | 'mentions' | 'images'>) {
  const ranges = mentions.map(({ start, length, accountId }) => ({ start, length, accountId }));
  return { text: comment, mentions: ranges, images };
}

/**
 * The request body that stores a comment, without the ids of its channel and author.
 * @throws {Failure} when it has dates, and what writes them cannot be loaded
 */
export async function bodyOf(content: Content) {
  const { text, mentions, images, files, event, announcement, reply } = content;
  const ranges = storedRanges(text, mentions);
  return {
    comment: text,
    ...(ranges.length > 0 && { mentions: ranges }),
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files: files.map(({ url }) => ({ url })) }),
    ...(event && { event: (await loadEventDraft()).eventOf(event) }),
    ...(announcement && {
      announcement: { until: announcement.until || null, confirm: announcement.confirm },
    }),
    ...(reply && { replyTo: reply.number }),
  };
}

/** Few comments have dates, whose form loads it first. */
const loadEventDraft = () =>
  import('./event-draft.ts').catch(() => {
    throw new Failure(null);
  });

/** Why a withdrawn comment cannot be appended to the draft; null when it can. */
export function whyNotAppended(content: Content): string | null {
  if (isLocked(content)) return commentTexts.waitUntilSent;
  return content.editing && 'Antes guarda o descarta los cambios que has empezado en este canal.';
}

/**
 * Appends a withdrawn comment to the draft, unless it was appended before.
 * @returns a function that undoes this unless the draft has changed since
 */
export function appendToDraft(
  draft: ComposerDraft,
  added: Pick<Content, 'text' | 'mentions' | 'images' | 'files' | 'event' | 'reply'>,
): () => void {
  const typed = readDraft(draft);
  const stored = [...typed.images, ...typed.files];
  const hasAll = [...added.images, ...added.files].every(({ url }) =>
    stored.some((one) => one.url === url),
  );
  if (hasAll && typed.text.endsWith(added.text)) return () => {};
  const lead = typed.text && added.text ? `${typed.text}\n\n` : typed.text;
  const mentions = added.mentions.map((one) => ({ ...one, start: one.start + lead.length }));
  changeComposer(draft, {
    text: lead + added.text,
    mentions: [...typed.mentions, ...mentions],
    images: [...typed.images, ...added.images],
    files: [...typed.files, ...added.files],
    event: typed.event ?? added.event,
    reply: isBlank(typed) && !typed.reply ? added.reply : typed.reply,
  });
  const appended = readDraft(draft);
  return () => {
    if (readDraft(draft) === appended) changeComposer(draft, typed);
  };
}

/** Adds images, or other files, to upload. @returns whether there were more than a comment can have */
export function addUploads(
  draft: ComposerDraft,
  userId: string,
  chosen: File[],
  areFiles = false,
): boolean {
  const content = readDraft(draft);
  const most = areFiles ? limits.filesPerComment : limits.imagesPerComment;
  const room = most - countUploaded(content, areFiles);
  const added = chosen.slice(0, Math.max(0, room)).map((file) => {
    const key = `${userId} comment ${newKey()}`;
    void storeLocalFile(key, file);
    return { key, name: file.name, ...(areFiles && { isFile: true }) };
  });
  if (added.length > 0) changeComposer(draft, { uploads: [...content.uploads, ...added] });
  return added.length < chosen.length;
}

export function discardWithFiles(draft: ComposerDraft): void {
  for (const { key } of readDraft(draft).uploads) void deleteLocalFiles(key);
  discardDraft(draft);
}
