import type { MouseEvent } from 'react';
import { showStatus } from '../shell/status-bar.tsx';
import { useStore } from '../state/store-provider.tsx';
import { CheckAll } from './account-icons.tsx';
import { accountTexts } from './account-texts.ts';
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
    // The button goes with what was new: the focus stays in its row.
    currentTarget.parentElement?.querySelector<HTMLElement>('[aria-current]')?.focus();
    markRead(positions, dispatch);
    showStatus({ text: accountTexts.allRead });
  };

  return (
    <button
      type="button"
      className={styles.button}
      onClick={mark}
      aria-label={accountTexts.markAllRead}
    >
      <CheckAll size={20} />
      <span className={styles.label}>{accountTexts.markAllRead}</span>
    </button>
  );
}
