import type { NewComment } from '../../shared/comments.ts';
import { type IdempotentRequest, readRequest } from '../api/idempotent-request.ts';
import { localStore } from '../storage/browser-storage.ts';
import { isText, parseStored, readStored } from '../storage/stored-value.ts';

/**
 * The text of an account's comment form on a channel, in local storage. It outlives the tab and the
 * session, is shown to that account only, and is removed when it is sent or emptied.
 */
interface CommentDraft {
  text: string;
  /** The request that sent this text, while its outcome is unknown. Editing the text discards it. */
  request: IdempotentRequest<NewComment> | null;
}

function readDraft({ text, request }: Record<string, unknown>): CommentDraft | null {
  return isText(text) ? { text, request: readRequest(request, ['id', 'comment']) } : null;
}

const textOf = (stored: string | null) => parseStored(stored, readDraft)?.text ?? '';

export function commentDraft(userId: string, channelId: string) {
  const storeKey = `comment-draft ${userId} ${channelId}`;
  const read = () => readStored(storeKey, readDraft);
  return {
    read,

    /** Stores the draft; an empty text removes it. */
    store(text: string, request: CommentDraft['request'] = null): void {
      const draft: CommentDraft = { text, request };
      if (text) localStore.set(storeKey, JSON.stringify(draft));
      else localStore.remove(storeKey);
    },

    /** Call when the server or the outbox has `text`: clears fields, in any tab, that still show it. */
    clearSent(text: string): void {
      if (read()?.text === text) localStore.remove(storeKey);
      // The browser sends storage events to other tabs only.
      const oldValue = JSON.stringify({ text });
      dispatchEvent(new StorageEvent('storage', { key: storeKey, oldValue, newValue: null }));
    },

    /** Fills a field with the draft and follows changes of it. @returns a function that stops it */
    showIn(field: HTMLTextAreaElement): () => void {
      const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
        if (key !== storeKey || field.value !== textOf(oldValue)) return;
        field.value = textOf(newValue);
      };
      addEventListener('storage', onStorage);
      field.value ||= read()?.text ?? '';
      return () => removeEventListener('storage', onStorage);
    },
  };
}
