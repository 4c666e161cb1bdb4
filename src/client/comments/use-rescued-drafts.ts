import { useEffect, useEffectEvent } from 'react';
import { parseCommentNumber } from '../../shared/comment-id.ts';
import { fetchServerTime } from '../api/call.ts';
import { isRemoved } from '../state/changed-comments.ts';
import { newestNumber } from '../state/loaded-comments.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import { draftKeys } from '../storage/draft-changes.ts';
import { discardDraft, readDraft } from '../storage/drafts.ts';
import { withTabLock } from '../storage/tab-lock.ts';
import {
  appendToDraft,
  type CommentDraft,
  commentEditDraft,
  editPrefix,
  isBlank,
  newCommentDraft,
  replyDraft,
  sendingLock,
} from './comment-draft.ts';
import { isEditable } from './edit-time.ts';
import { replyPrefix } from './unsent-replies.ts';

/**
 * Appends what was typed in forms that are lost to the draft of a new comment: replies to comments that are
 * deleted, now or later, and unsaved changes of such and, when the page opens, of those past the time for
 * editing.
 * @param focus called when the field in which the user was typing was removed
 */
export function useRescuedDrafts(channelId: string, focus: () => void): void {
  const { getState, subscribe } = useStore();
  const { id: userId } = useUser();
  const focusRescued = useEffectEvent(focus);

  useEffect(() => {
    const edits = () => draftKeys(editPrefix(userId, channelId)).map(Number);
    const replies = () => draftKeys(replyPrefix(userId, channelId)).map(Number);
    /** The highest number that was shown. Later comments may be known, and wait to be shown. */
    let seen: number | undefined;
    const rescue = async (isOpening: boolean) => {
      const channel = getState().channels.get(channelId);
      if (channel)
        seen = Math.max(seen ?? newestNumber(channel), channel.comments.at(-1)?.number ?? 0);
      // The link to the reply leads to a page that names a number which no comment may ever have had.
      const named = parseCommentNumber(new URLSearchParams(location.search).get('n'));
      const isDeleted = (number: number) =>
        channel !== undefined && isRemoved(channel, number, number === named ? named : seen);
      const isLost = (number: number) => {
        const comment = channel?.comments.find((one) => one.number === number);
        if (channel && !comment) return isDeleted(number);
        return isOpening && !(comment && isEditable(comment));
      };
      const lost = [
        ...edits()
          .filter(isLost)
          .map((number) => commentEditDraft(userId, { channelId, number })),
        ...replies()
          .filter(isDeleted)
          .map((number) => replyDraft(userId, { channelId, number })),
      ];
      const newDraft = newCommentDraft(userId, channelId);
      const moved = await Promise.all(lost.map((draft) => moveToNew(newDraft, draft)));
      return moved.includes(true);
    };
    let isShown = true;
    const rescueOnOpening = () => isShown && rescue(true);
    rescueOnOpening();
    if (edits().length > 0) fetchServerTime().then(rescueOnOpening);
    const unsubscribe = subscribe(async () => {
      const { activeElement } = document;
      if (!(await rescue(false))) return;
      requestAnimationFrame(() => isShown && !activeElement?.isConnected && focusRescued());
    });
    return () => {
      isShown = false;
      unsubscribe();
    };
  }, [userId, channelId, getState, subscribe]);
}

/** Moves a draft to that of a new comment; one that is being sent, afterwards. @returns whether it was still there */
function moveToNew(newDraft: CommentDraft, draft: CommentDraft): Promise<boolean> {
  return withTabLock(sendingLock(draft), async () => {
    const content = readDraft(draft);
    discardDraft(draft);
    if (isBlank(content)) return false;
    appendToDraft(newDraft, { ...content, reply: null, isRescued: true });
    return true;
  });
}
