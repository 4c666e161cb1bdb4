import type { MouseEvent } from 'react';
import { useAppState, useStore } from '../../state/store-provider.tsx';
import { CheckAll } from '../../ui/account-icons.tsx';
import { showStatus } from '../../ui/status/status-bar.tsx';
import styles from './mark-all-read.module.css';

/** Marks the comments of the listed channels as read, up to the newest one that each card counts, if some are unread. */
export function MarkAllRead() {
  const store = useStore();
  const hasUnread = useAppState(({ reads, list }) => list?.ids.some((id) => reads[id]?.unread));
  if (!hasUnread) return null;

  const mark = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { list, channels, reads } = store.getState();
    const positions = (list?.ids ?? []).flatMap((channelId) => {
      const channel = channels.get(channelId);
      if (!channel || !reads[channelId]?.unread) return [];
      return [{ channelId, number: channel.commentCount + channel.removedCount }];
    });
    // The button disappears, so the focus first moves to an ancestor.
    currentTarget.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
    store.dispatch({ type: 'CHANNELS_READ', positions });
    showStatus({ text: 'Se han marcado como leídos los canales de la lista.' });
  };

  return (
    <button type="button" className={`bare target ${styles.button}`} onClick={mark}>
      <CheckAll size={20} />
      <span>Marcar todo como leído</span>
    </button>
  );
}
