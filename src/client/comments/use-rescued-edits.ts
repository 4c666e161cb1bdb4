import { useEffect, useEffectEvent } from 'react';
import { fetchServerTime } from '../api/call.ts';
import { isRemoved } from '../state/changed-comments.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { discardDraft, draftKeys, readDraft } from '../storage/drafts.ts';
import { appendToDraft, commentEditDraft, editPrefix, newCommentDraft } from './comment-draft.ts';
import { isEditable } from './edit-time.ts';

/**
 * Appends unsaved changes of lost comments to the draft of a new one: of those that are deleted, now or
 * later, and, when the page opens, those past the time for editing.
 * @param focus called when the field in which the user was typing was removed
 */
export function useRescuedEdits(channelId: string, focus: () => void): void {
  const { getState, subscribe } = useStore();
  const { id: userId } = useUser();
  const focusRescued = useEffectEvent(focus);

  useEffect(() => {
    const edits = () => draftKeys(editPrefix(userId, channelId)).map(Number);
    const rescue = (isOpening: boolean) => {
      const channel = getState().channels.get(channelId);
      const isLost = (number: number) => {
        const comment = channel?.comments.find((one) => one.number === number);
        if (channel && !comment) return isRemoved(channel, number);
        return isOpening && !(comment && isEditable(comment));
      };
      const lost = edits().filter(isLost);
      for (const number of lost) {
        const edit = commentEditDraft(userId, { channelId, number });
        appendToDraft(newCommentDraft(userId, channelId), { ...readDraft(edit), isRescued: true });
        discardDraft(edit);
      }
      return lost.length > 0;
    };
    let isShown = true;
    const rescueOnOpening = () => isShown && rescue(true);
    rescueOnOpening();
    if (edits().length > 0) fetchServerTime().then(rescueOnOpening);
    const unsubscribe = subscribe(() => {
      if (!rescue(false)) return;
      requestAnimationFrame(() => document.activeElement === document.body && focusRescued());
    });
    return () => {
      isShown = false;
      unsubscribe();
    };
  }, [userId, channelId, getState, subscribe]);
}
