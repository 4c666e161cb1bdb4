import { useSyncExternalStore } from 'react';
import type { CommentDraft, DraftStore } from './comment-draft.ts';

/** Parts of a draft, rendered again when they change; not the text, which only the field shows. */
export function useDraft(draft: DraftStore): Pick<CommentDraft, 'images' | 'reply'> {
  // React compares snapshots by identity, so this one is a string.
  const snapshot = useSyncExternalStore(draft.subscribe, () => {
    const { images, reply } = draft.read();
    return JSON.stringify({ images, reply });
  });
  return JSON.parse(snapshot);
}
