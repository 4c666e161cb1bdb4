import type { CommentImage, NewComment } from '../../shared/comments.ts';
import { limits } from '../../shared/limits.ts';
import { type IdempotentRequest, readRequest } from '../api/idempotent-request.ts';
import { localStore } from '../storage/browser-storage.ts';
import { fieldsOf, isText, parseStored, readStored } from '../storage/stored-value.ts';
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
  /** Of its file in `local-files.ts`. */
  key: string;
  name: string;
}

/**
 * What an account has typed for a new comment on a channel, or to change one. In local storage: it
 * outlives the tab and the session, is shown to that account only, and is removed when it is sent or
 * emptied.
 */
export interface CommentDraft {
  text: string;
  mentions: MentionRange[];
  images: CommentImage[];
  /** Until they are stored and become `images`. */
  uploads: DraftUpload[];
  reply: ReplyTarget | null;
  /** The request that sent this comment, while its outcome is unknown. Any change discards it. */
  request: IdempotentRequest<NewComment> | null;
  /** The revision of the comment that is being changed; 0 for a new comment. */
  revision: number;
}

export const emptyDraft: CommentDraft = {
  text: '',
  mentions: [],
  images: [],
  uploads: [],
  reply: null,
  request: null,
  revision: 0,
};

/** Reads drafts of earlier versions too, which have a text and a request only. */
function parseDraft(fields: Record<string, unknown>): CommentDraft | null {
  const { text, mentions, images, uploads, reply, request, revision } = fields;
  if (!isText(text)) return null;
  const { number, autor, excerpt } = fieldsOf(reply);
  return {
    text,
    mentions: listOf<MentionRange>(mentions, isMention),
    images: listOf<CommentImage>(images, isImage).slice(0, limits.imagesPerComment),
    uploads: listOf<DraftUpload>(uploads, isUpload).slice(0, limits.imagesPerComment),
    reply: isCount(number) && isText(autor) && isText(excerpt) ? { number, autor, excerpt } : null,
    request: readRequest(request, ['id', 'comment']),
    revision: isCount(revision) ? revision : 0,
  };
}

/** The draft that a request was sent from. */
export function draftOfRequest(body: NewComment, reply: ReplyTarget | null): CommentDraft {
  const { comment: text, mentions, images } = body;
  return { ...(parseDraft({ text, mentions, images }) ?? emptyDraft), reply };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value);

const isImage = ({ url, alt }: Record<string, unknown>) => isText(url) && isText(alt);

const isUpload = ({ key, name }: Record<string, unknown>) => isText(key) && isText(name);

const isMention = ({ start, length, accountId }: Record<string, unknown>) =>
  isCount(start) && isCount(length) && isText(accountId);

/** The items of a stored list that pass the check. */
function listOf<T>(value: unknown, check: (fields: Record<string, unknown>) => boolean): T[] {
  return Array.isArray(value) ? (value as T[]).filter((item) => check(fieldsOf(item))) : [];
}

export type DraftStore = ReturnType<typeof commentDraft>;

const editPrefix = (userId: string, channelId: string) => `comment-edit ${userId} ${channelId} `;

/** The numbers of a channel's comments to which the account has unsaved changes. */
export function editedNumbers(userId: string, channelId: string): number[] {
  const prefix = editPrefix(userId, channelId);
  const keys = localStore.keys().filter((key) => key.startsWith(prefix));
  return keys.map((key) => Number(key.slice(prefix.length)));
}

/**
 * @param number of the comment that is changed; undefined for a new one
 * @param unchanged what is not stored: an empty draft, or the comment as it is
 */
export function commentDraft(
  userId: string,
  channelId: string,
  number?: number,
  unchanged: CommentDraft = emptyDraft,
) {
  const storeKey =
    number === undefined
      ? `comment-draft ${userId} ${channelId}`
      : `${editPrefix(userId, channelId)}${number}`;
  const read = () => readStored(storeKey, parseDraft) ?? unchanged;
  const textOf = (stored: string | null) => (parseStored(stored, parseDraft) ?? unchanged).text;

  const write = (draft: CommentDraft) => {
    const isChanged = JSON.stringify(partsOf(draft)) !== JSON.stringify(partsOf(unchanged));
    if (isChanged) localStore.set(storeKey, JSON.stringify(draft));
    else localStore.remove(storeKey);
  };

  /** The browser sends storage events to other tabs only. */
  const notify = (oldText: string) => {
    const oldValue = JSON.stringify({ text: oldText });
    const newValue = localStore.get(storeKey);
    dispatchEvent(new StorageEvent('storage', { key: storeKey, oldValue, newValue }));
  };

  return {
    isChanged: () => localStore.get(storeKey) !== null,
    read,

    /** Stores what the field shows, which is not notified. */
    storeText(text: string, mentions: MentionRange[]): void {
      write({ ...read(), text, mentions, request: null });
    },

    /** Changes other parts, and notifies the forms that show them. */
    change(part: Partial<CommentDraft>): void {
      const { text } = read();
      write({ ...read(), request: null, ...part });
      notify(text);
    },

    /**
     * Call when the server or the outbox has this comment: removes its parts, unless they have changed
     * meanwhile, and clears fields, in any tab, that still show its text.
     */
    clearSent(sent: CommentDraft): void {
      const { text, mentions, images, uploads, reply } = read();
      const sentUrls = sent.images.map(({ url }) => url);
      const isSent = text === sent.text;
      write({
        ...emptyDraft,
        text: isSent ? '' : text,
        mentions: isSent ? [] : mentions,
        images: images.filter(({ url }) => !sentUrls.includes(url)),
        uploads,
        reply: JSON.stringify(reply) === JSON.stringify(sent.reply) ? null : reply,
      });
      notify(sent.text);
    },

    /** Call when the server has refused the request: sent again, the comment gets a new key. */
    discardRequest(key: string): void {
      const draft = read();
      if (draft.request?.key === key) write({ ...draft, request: null });
    },

    discard(): void {
      const { text } = read();
      localStore.remove(storeKey);
      notify(text);
    },

    /** Calls the listener when the draft was changed by other parts of the page, or in other tabs. */
    subscribe(listener: () => void): () => void {
      const onStorage = ({ key }: StorageEvent) => {
        if (key === null || key === storeKey) listener();
      };
      addEventListener('storage', onStorage);
      return () => removeEventListener('storage', onStorage);
    },

    /** Fills a field with the draft and follows changes of it. @returns a function that stops it */
    showIn(field: HTMLTextAreaElement): () => void {
      const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
        if (key !== storeKey || field.value !== textOf(oldValue)) return;
        field.value = textOf(newValue);
      };
      addEventListener('storage', onStorage);
      field.value ||= read().text;
      return () => removeEventListener('storage', onStorage);
    },
  };
}

/** What makes a draft another one, in a fixed order. */
function partsOf({ text, mentions, images, uploads, reply, revision }: CommentDraft) {
  return [text, mentions, images, uploads, reply, revision];
}
