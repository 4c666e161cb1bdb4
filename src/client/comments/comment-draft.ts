import type { NewComment } from '../../shared/comments.ts';
import { type IdempotentRequest, readRequest } from '../api/idempotent-request.ts';
import { localStore } from '../state/browser-storage.ts';
import { isText, parseStored, readStored } from '../state/parse-stored.ts';

/**
 * What an account has typed under a channel and the server has not accepted. It outlives the tab
 * and the session, is shown to nobody else, and ends when it is sent or emptied, never by itself.
 */
interface CommentDraft {
  text: string;
  /** The text as it was sent, when no answer has settled it; changing a letter frees its key. */
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

    keep(text: string, request: CommentDraft['request'] = null): void {
      const draft: CommentDraft = { text, request };
      if (text) localStore.set(storeKey, JSON.stringify(draft));
      else localStore.remove(storeKey);
    },

    /** The server has this text, or the outbox: no field shows it any more. */
    settle(text: string): void {
      if (read()?.text === text) localStore.remove(storeKey);
      // The browser tells only the other tabs.
      const oldValue = JSON.stringify({ text });
      dispatchEvent(new StorageEvent('storage', { key: storeKey, oldValue, newValue: null }));
    },

    /** Shows the draft in a field, and what becomes of it elsewhere. @returns what ends it */
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
