import type { NewComment } from '../../shared/comments.ts';
import type { KeyedRequest } from '../keyed-request.ts';
import { localStore } from '../state/browser-storage.ts';

/**
 * What an account has typed under a channel and the server has not accepted. It outlives the tab
 * and the session, and is shown to nobody else.
 */
interface CommentDraft {
  text: string;
  /** The text as it was sent, when no answer has settled it; changing a letter frees its key. */
  request: KeyedRequest<NewComment> | null;
  changedAtMs: number;
}

const prefix = 'comment-draft ';
const longestMs = 30 * 86_400_000;

const parse = (json: string | null) => (json === null ? null : (JSON.parse(json) as CommentDraft));

export function commentDraft(userId: string, channelId: string) {
  const storeKey = `${prefix}${userId} ${channelId}`;
  return {
    read: () => parse(localStore.get(storeKey)),

    keep(text: string, request: CommentDraft['request'] = null): void {
      const draft: CommentDraft = { text, request, changedAtMs: Date.now() };
      if (text) localStore.set(storeKey, JSON.stringify(draft));
      else localStore.remove(storeKey);
    },

    /** The server has this text, or the outbox: no field shows it any more. */
    settle(text: string): void {
      if (parse(localStore.get(storeKey))?.text === text) localStore.remove(storeKey);
      // The browser tells only the other tabs.
      const oldValue = JSON.stringify({ text });
      dispatchEvent(new StorageEvent('storage', { key: storeKey, oldValue, newValue: null }));
    },

    /** Shows the draft in a field, and what becomes of it elsewhere. @returns what ends it */
    showIn(field: HTMLTextAreaElement): () => void {
      const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
        if (key !== storeKey || field.value !== (parse(oldValue)?.text ?? '')) return;
        field.value = parse(newValue)?.text ?? '';
      };
      addEventListener('storage', onStorage);
      field.value ||= parse(localStore.get(storeKey))?.text ?? '';
      return () => removeEventListener('storage', onStorage);
    },
  };
}

/** Drops what nobody has come back for in a month, whoever wrote it. */
export function dropOldDrafts(): void {
  for (const key of localStore.keys()) {
    if (!key.startsWith(prefix)) continue;
    const draft = parse(localStore.get(key));
    if (draft && Date.now() - draft.changedAtMs > longestMs) localStore.remove(key);
  }
}
