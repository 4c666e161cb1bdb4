import { useEffect, useEffectEvent, useState } from 'react';
import { limits } from '../../shared/limits.ts';
import { commentAnchor } from '../../shared/routes.ts';
import { isRemoved } from '../state/changed-comments.ts';
import type { ChannelState } from '../state/state.ts';
import { useStore, useUser } from '../state/store-provider.tsx';
import {
  type CommentDraft,
  commentDraft,
  type DraftStore,
  editedNumbers,
} from './comment-draft.ts';
import { isEditable } from './edit-time.ts';

/**
 * Moves unsaved changes of comments that are deleted to the draft of a new comment, now and when one
 * is deleted; now those of comments past the time for editing too, which offer it no more. A hidden tab leaves them to the one that is seen.
 * @param onFocusLost called when the field in which the user was typing is removed
 * @returns how many were moved
 */
export function useRescuedEdits(channelId: string, onFocusLost: () => void): number {
  const { getState, subscribe } = useStore();
  const { id: userId } = useUser();
  const [count, setCount] = useState(0);
  const reportFocusLost = useEffectEvent(onFocusLost);

  useEffect(() => {
    let seen: ChannelState | undefined;
    const rescue = () => {
      const channel = getState().channels.get(channelId);
      if (!channel || channel === seen || document.hidden) return;
      const isFirst = seen === undefined;
      seen = channel;
      const moved = rescueEdits(userId, channelId, channel, isFirst);
      if (moved.length === 0) return;
      setCount((before) => before + moved.length);
      const editor = document.activeElement?.closest('li')?.id;
      if (moved.some((number) => commentAnchor(number) === editor)) {
        requestAnimationFrame(() => reportFocusLost());
      }
    };
    rescue();
    return subscribe(rescue);
  }, [channelId, userId, getState, subscribe]);

  return count;
}

/**
 * Appends unsaved changes of deleted comments to the draft of a new one.
 * @param channel undefined when it is deleted with all its comments
 * @param withExpired those of comments past the time for editing too
 * @returns the numbers of those comments
 */
export function rescueEdits(
  userId: string,
  channelId: string,
  channel: ChannelState | undefined,
  withExpired: boolean,
): number[] {
  const isLost = (number: number) => {
    if (!channel || isRemoved(channel, number)) return true;
    const comment = channel.comments.find((one) => one.number === number);
    return withExpired && comment !== undefined && !isEditable(comment);
  };
  const numbers = editedNumbers(userId, channelId).filter(isLost);
  for (const number of numbers) {
    const edit = commentDraft(userId, channelId, number);
    appendToDraft(commentDraft(userId, channelId), edit.read());
    edit.discard();
  }
  return numbers;
}

/** Appends what was typed elsewhere to the draft of a new comment. */
export function appendToDraft(store: DraftStore, added: CommentDraft): void {
  const draft = store.read();
  const lead = draft.text && added.text ? `${draft.text}\n\n` : draft.text;
  const mentions = added.mentions.map((one) => ({ ...one, start: one.start + lead.length }));
  const images = [...draft.images, ...added.images].slice(0, limits.imagesPerComment);
  store.change({
    text: lead + added.text,
    mentions: [...draft.mentions, ...mentions],
    images,
    uploads: [...draft.uploads, ...added.uploads].slice(0, limits.imagesPerComment - images.length),
    reply: draft.reply ?? added.reply,
  });
}
