import type { MouseEvent } from 'react';
import { CheckAll } from '../components/account-icons.tsx';
import { showStatus } from '../components/status-bar.tsx';
import { useStore } from '../state/store-provider.tsx';
import styles from './mark-all-read.module.css';
import { markRead } from './news.ts';

/** Marks all comments of the listed channels as read, as far as their cards count them. */
export function MarkAllRead() {
  const { getState, dispatch } = useStore();

  const mark = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const { list, channels, reads } = getState();
    const positions = (list?.ids ?? []).flatMap((channelId) => {
      const channel = channels.get(channelId);
      if (!channel || !reads[channelId]?.unread) return [];
      return [{ channelId, number: channel.commentCount + channel.removedCount }];
    });
    // The button disappears, so the focus moves to the link before it.
    currentTarget.parentElement?.querySelector('a')?.focus();
    markRead(positions, dispatch);
    showStatus({ text: 'Se han marcado como leídos los canales de la lista.' });
  };

  return (
    <button type="button" className={styles.button} onClick={mark}>
      <CheckAll size={20} />
      <span>Marcar todo como leído</span>
    </button>
  );
}
