import { useEffect, useState } from 'react';
import { lastContiguousId } from '../state/loaded-comments.ts';
import { useStore } from '../state/store-provider.tsx';
import { texts } from '../texts.ts';
import { followChannel } from './live-stream.ts';

interface LiveCommentsProps {
  channelId: string;
  isLoaded: boolean;
  /** Fetches the channel again. */
  reload: () => void;
}

/** Adds new comments of the channel as they are written, and announces them to screen readers. */
export function LiveComments({ channelId, isLoaded, reload }: LiveCommentsProps) {
  const { getState, dispatch } = useStore();
  const [announcement, setAnnouncement] = useState({ id: '', text: '' });

  useEffect(() => {
    if (!isLoaded) return;
    const findChannel = () => getState().channels.get(channelId);
    return followChannel({
      channelId,
      lastKnown() {
        // While older comments are missing, ask for new ones only.
        const channel = findChannel();
        return channel && !channel.moreAfter ? lastContiguousId(channel) : null;
      },
      onComment(comment) {
        const isKnown = findChannel()?.comments.some(({ id }) => id === comment.id);
        dispatch({ type: 'ADD_COMMENT', comment });
        if (!isKnown && comment.autorId !== getState().user.id) {
          setAnnouncement({ id: comment.id, text: texts.newCommentBy(comment.autor) });
        }
      },
      onMissed: () => dispatch({ type: 'COMMENTS_MISSED', channelId }),
      onRestored() {
        dispatch({ type: 'SITE_RESTORED' });
        reload();
      },
    });
  }, [channelId, isLoaded, getState, dispatch, reload]);

  return (
    <p className="visually-hidden" aria-live="polite">
      {/* A new element each time: the same text in the same element is announced only once. */}
      <span key={announcement.id}>{announcement.text}</span>
    </p>
  );
}
