import { useEffect, useRef, useState } from 'react';
import type { ChannelState } from '../state/state.ts';
import { useStore } from '../state/store.tsx';
import { texts } from '../texts.ts';
import { lastUnbroken } from './comment-order.ts';
import { followChannel } from './live-stream.ts';

/**
 * Adds new comments of the channel as they are written.
 * @param reload fetches the channel again
 * @returns the announcement of the last comment for screen readers, and its id
 */
export function useLiveComments(
  channel: ChannelState | undefined,
  isLoaded: boolean,
  reload: () => void,
) {
  const { state, dispatch } = useStore();
  const [announcement, setAnnouncement] = useState({ id: '', text: '' });
  const latest = useRef({ channel, userId: state.user.id });
  latest.current = { channel, userId: state.user.id };
  const channelId = isLoaded ? channel?._id : undefined;

  useEffect(() => {
    if (channelId === undefined) return;
    return followChannel({
      channelId,
      lastKnown() {
        // While older comments are missing, ask for new ones only.
        const { channel } = latest.current;
        return channel && !channel.moreAfter ? lastUnbroken(channel) : null;
      },
      onComment(comment) {
        const { channel, userId } = latest.current;
        const isKnown = channel?.comments.some(({ id }) => id === comment.id);
        dispatch({ type: 'ADD_COMMENT', comment });
        if (!isKnown && comment.autorId !== userId) {
          setAnnouncement({ id: comment.id, text: texts.newCommentBy(comment.autor) });
        }
      },
      onMissed: () => dispatch({ type: 'COMMENTS_MISSED', channelId }),
      onRestored() {
        dispatch({ type: 'SITE_RESTORED' });
        reload();
      },
    });
  }, [channelId, dispatch, reload]);

  return announcement;
}
